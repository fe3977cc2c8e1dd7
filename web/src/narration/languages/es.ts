import narration from '@narration/messages/es.json'
import news from '@narration/news/es.json'
import table from '@narration/table/es.json'
import own from '../messages/es.json'

export default { narration, ui: { ...table, ...news, ...own } }
