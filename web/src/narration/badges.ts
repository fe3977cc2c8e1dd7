/** The short mark that stands for a player where a name has no room; as in `heckmeck.narration.badges`. */

/**
 * A badge for each of a table's players, no two alike, in the order of their seats: the first letter
 * of the name, with a number behind it where an earlier seat has that letter already.
 */
export function badgesOf(names: readonly string[]): string[] {
  const taken = new Map<string, number>()
  return names.map((name) => {
    const [first = '?'] = name.trim()
    const [letter = '?'] = first.toUpperCase()
    const count = (taken.get(letter) ?? 0) + 1
    taken.set(letter, count)
    return count === 1 ? letter : `${letter}${count}`
  })
}
