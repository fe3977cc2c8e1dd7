/** Whether something has stayed the same for too long. */
export function late(milliseconds: number, watched: () => unknown): { readonly now: boolean } {
  let now = $state(false)
  $effect(() => {
    watched()
    now = false
    const timer = setTimeout(() => (now = true), milliseconds)
    return () => clearTimeout(timer)
  })
  return {
    get now() {
      return now
    },
  }
}
