/** What the server finds out about a position. */
import { ask, post } from '../net/api'
import { askedUnit } from '../net/coach'
import type { PositionAsked, StudiedPosition } from '../net/wire'

/** What is wrong with a position, or its moves and chances. */
export const studyPosition = (asked: Omit<PositionAsked, 'unit'>): Promise<StudiedPosition> =>
  ask('/api/position', post(JSON.stringify({ ...asked, unit: askedUnit() })))
