import narration from '@narration/messages/en.json'
import news from '@narration/news/en.json'
import table from '@narration/table/en.json'
import own from '../messages/en.json'

export default { narration, ui: { ...table, ...news, ...own } }
