import narration from '@narration/messages/it.json'
import news from '@narration/news/it.json'
import table from '@narration/table/it.json'
import own from '../messages/it.json'

export default { narration, ui: { ...table, ...news, ...own } }
