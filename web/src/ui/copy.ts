/**
 * Copy text, and return whether that was possible.
 *
 * Browsers have `navigator.clipboard` for pages of HTTPS and localhost only; a server in the living room is
 * mostly opened as http://192.168.…, where a selection can still be copied.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelection(text)
  }
}

function copySelection(text: string): boolean {
  const before = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'sr'
  // What is outside of an open dialog cannot be selected.
  const place = before?.closest('dialog') ?? document.body
  place.append(field)
  field.select()
  const copied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  return copied
}
