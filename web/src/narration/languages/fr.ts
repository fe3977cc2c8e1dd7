import narration from '@narration/messages/fr.json'
import news from '@narration/news/fr.json'
import table from '@narration/table/fr.json'
import own from '../messages/fr.json'

export default { narration, ui: { ...table, ...news, ...own } }
