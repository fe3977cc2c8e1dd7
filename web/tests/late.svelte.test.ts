import { flushSync } from 'svelte'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { late } from '../src/lib/late.svelte'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('what does not change is late after a while, and what changes is not', () => {
  let watched = $state(0)
  let slow: { readonly now: boolean } | undefined
  const stop = $effect.root(() => {
    slow = late(5000, () => watched)
  })
  flushSync()
  expect(slow?.now).toBe(false)
  vi.advanceTimersByTime(4000)
  watched = 1
  flushSync()
  vi.advanceTimersByTime(4000)
  expect(slow?.now).toBe(false)
  vi.advanceTimersByTime(1000)
  expect(slow?.now).toBe(true)
  watched = 2
  flushSync()
  expect(slow?.now).toBe(false)
  stop()
})
