import narration from '@narration/messages/de.json'
import news from '@narration/news/de.json'
import table from '@narration/table/de.json'
import own from '../messages/de.json'

export default { narration, ui: { ...table, ...news, ...own } }
