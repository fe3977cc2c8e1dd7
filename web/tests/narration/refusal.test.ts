import { beforeAll, expect, test } from 'vitest'
import { pretend, speakNow } from '../browser'

beforeAll(async () => {
  pretend()
  await speakNow('de')
})

test.each([
  ['in the reader’s language', { code: 'closed', message: 'Closed.' }, '', 'Dieser Tisch ist aufgelöst. Öffne einen neuen.'],
  ['with how long a limit lasts', { code: 'too_fast', message: '', wait: 1.2 }, '', 'Das war zu schnell. Versuch es in 2 Sekunden noch einmal.'],
  ['with a second at least', { code: 'too_fast', message: '', wait: 0.01 }, '', 'Das war zu schnell. Versuch es in 1 Sekunde noch einmal.'],
  ['without a time where it is not known', { code: 'too_fast', message: '', wait: null }, '', 'Das war zu schnell. Warte kurz und versuch es noch einmal.'],
  ['in the page’s own words', { code: 'too_fast', message: '', wait: 3 }, 'lost', 'Hier ist nichts'],
  ['in a newer server’s words', { code: 'too_sunny', message: 'It is too sunny.', wait: 3 }, 'coach.refused.too_sunny', 'It is too sunny.'],
])('a refusal is told %s', async (_, refusal, own, told) => {
  const { whyNot } = await import('../../src/narration/refusal')
  expect(whyNot(refusal, own)).toBe(told)
})
