import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Playback } from '../../src/review/playback.svelte'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('a moment passes, dice in the air pass sooner, and nothing moves while it is paused', () => {
  const playback = new Playback(false)
  const goOn = vi.fn()
  expect(playback.wait(0, 5, false, goOn)).toBeUndefined()
  playback.playing = true
  playback.wait(0, 5, true, goOn)
  vi.advanceTimersByTime(500)
  expect(goOn).toHaveBeenCalledOnce()
  playback.wait(1, 5, false, goOn)
  vi.advanceTimersByTime(500)
  expect(goOn).toHaveBeenCalledOnce()
  vi.advanceTimersByTime(1_000)
  expect(goOn).toHaveBeenCalledTimes(2)
})

test('it can be stopped while it waits, and stops at the end', () => {
  const playback = new Playback(true)
  const goOn = vi.fn()
  playback.wait(0, 5, false, goOn)?.()
  vi.advanceTimersByTime(10_000)
  expect(goOn).not.toHaveBeenCalled()
  playback.wait(5, 5, false, goOn)
  expect(playback.playing).toBe(false)
})

test('speeds come round', () => {
  const playback = new Playback(true)
  const seen = [1, 2, 3, 4].map(() => (playback.speed = playback.next))
  expect(seen).toEqual([2, 4, 0.5, 1])
})
