/** Small sounds, made on the spot. Silent until somebody asks for them. */
import { settings } from '../device/settings.svelte'
import type { Fact } from '../net/wire'

let context: AudioContext | null = null

function ready(wanted: boolean): AudioContext | null {
  if (!wanted) return null
  context ??= new AudioContext()
  // A browser lets a page sound only after somebody has touched it.
  if (context.state === 'suspended') void context.resume()
  return context
}

interface Tone {
  hz: number
  to?: number
  at?: number
  for: number
  loud?: number
  wave?: OscillatorType
}

function tone(audio: AudioContext, { hz, to = hz, at = 0, for: length, loud = 0.12, wave = 'sine' }: Tone): void {
  const begin = audio.currentTime + at
  const source = new OscillatorNode(audio, { type: wave, frequency: hz })
  const volume = new GainNode(audio, { gain: 0 })
  source.frequency.exponentialRampToValueAtTime(to, begin + length)
  volume.gain.setValueAtTime(loud, begin)
  volume.gain.exponentialRampToValueAtTime(0.001, begin + length)
  source.connect(volume).connect(audio.destination)
  source.start(begin)
  source.stop(begin + length)
}

/** A die that hits the tray: a very short burst of noise. */
function knock(audio: AudioContext, at: number): void {
  const length = Math.floor(audio.sampleRate * 0.03)
  const noise = new AudioBuffer({ length, sampleRate: audio.sampleRate })
  const samples = noise.getChannelData(0)
  for (let i = 0; i < length; i += 1) samples[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 3
  const source = new AudioBufferSourceNode(audio, { buffer: noise, playbackRate: 0.7 + Math.random() * 0.5 })
  const filter = new BiquadFilterNode(audio, { type: 'bandpass', frequency: 1800, Q: 1.2 })
  source.connect(filter).connect(new GainNode(audio, { gain: 0.35 })).connect(audio.destination)
  source.start(audio.currentTime + at)
}

const SOUNDS: Partial<Record<Fact['event'], Tone[]>> = {
  dice_kept: [{ hz: 520, to: 660, for: 0.09 }],
  tile_taken: [
    { hz: 392, for: 0.12, wave: 'triangle' },
    { hz: 587, at: 0.09, for: 0.2, wave: 'triangle' },
  ],
  tile_stolen: [
    { hz: 587, for: 0.1, wave: 'triangle' },
    { hz: 392, at: 0.08, for: 0.1, wave: 'triangle' },
    { hz: 784, at: 0.16, for: 0.22, wave: 'triangle' },
  ],
  plate_placed: [{ hz: 880, to: 840, for: 0.3, loud: 0.07 }],
  plate_replaced: [{ hz: 880, to: 700, for: 0.3, loud: 0.07 }],
  spot_closed: [{ hz: 660, to: 990, for: 0.3, loud: 0.07 }],
  snail_taken: [{ hz: 300, to: 520, for: 0.35, wave: 'triangle' }],
  bratworm_taken: [{ hz: 740, to: 990, at: 0.1, for: 0.14, loud: 0.08 }],
  attempt_failed: [{ hz: 220, to: 110, for: 0.4, wave: 'sawtooth', loud: 0.05 }],
  missed_out: [{ hz: 247, to: 185, for: 0.3, loud: 0.07 }],
  game_ended: [
    { hz: 392, for: 0.2, wave: 'triangle' },
    { hz: 494, at: 0.15, for: 0.2, wave: 'triangle' },
    { hz: 587, at: 0.3, for: 0.5, wave: 'triangle' },
  ],
}

const CALL: Tone[] = [
  { hz: 659, for: 0.16, wave: 'triangle' },
  { hz: 880, at: 0.14, for: 0.32, wave: 'triangle' },
]

/** Call the person whose turn it is, if they want to be called. */
export function call(): void {
  const audio = ready(settings.alert)
  if (!audio) return
  for (const each of CALL) tone(audio, each)
  // A page that nobody has touched may not vibrate, and says so.
  if (navigator.userActivation?.hasBeenActive ?? true) navigator.vibrate?.([120, 80, 120])
}

/** Let facts be heard. */
export function sound(facts: readonly Fact[]): void {
  const audio = ready(settings.sound)
  if (!audio) return
  for (const fact of facts) {
    if (fact.event === 'dice_fell') {
      const dice = fact.dice.length + (fact.golden ? 1 : 0)
      for (let die = 0; die < dice; die += 1) knock(audio, 0.1 + Math.random() * 0.35)
    }
    for (const each of SOUNDS[fact.event] ?? []) tone(audio, each)
  }
}
