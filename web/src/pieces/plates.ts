/** Which plate each seat has: as the table says, or as they are given out. */
import { getContext, setContext } from 'svelte'
import { plateOf } from './boxes'

const KEY = Symbol('plates')
type PlateOf = (seat: number) => number

/** Within this component, seats have the plates that `plates` says, as far as it says any. */
export function servePlates(plates: () => readonly number[] | undefined): void {
  setContext<PlateOf>(KEY, (seat) => plates()?.[seat] ?? plateOf(seat))
}

/** The plates here; called while a component is set up. */
export const platesHere = (): PlateOf => getContext<PlateOf | undefined>(KEY) ?? plateOf
