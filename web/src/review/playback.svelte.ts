/** A game that plays itself: a moment, a pause, the next. */

/** How fast, as a factor; each tap takes the next. */
const SPEEDS = [0.5, 1, 2, 4] as const
/** How long a moment stays at the speed of 1, in milliseconds. */
const MOMENT = 1_100
const BRIEF = 220

export class Playback {
  playing = $state(false)
  speed = $state(1)

  constructor(playing: boolean) {
    this.playing = playing
  }

  /** The speed after this one; after the fastest comes the slowest. */
  get next(): number {
    return SPEEDS.find((speed) => speed > this.speed) ?? SPEEDS[0]
  }

  /** Go on when moment `at` has been seen, until the last; returns how to stop waiting. */
  wait(at: number, last: number, brief: boolean, goOn: () => void): (() => void) | undefined {
    if (!this.playing) return undefined
    if (at >= last) {
      this.playing = false
      return undefined
    }
    const timer = setTimeout(goOn, (brief ? BRIEF : MOMENT) / this.speed)
    return () => clearTimeout(timer)
  }
}
