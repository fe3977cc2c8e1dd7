import narration from '@narration/messages/nl.json'
import news from '@narration/news/nl.json'
import table from '@narration/table/nl.json'
import own from '../messages/nl.json'

export default { narration, ui: { ...table, ...news, ...own } }
