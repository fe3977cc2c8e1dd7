/** What this device remembers. A browser that forbids it (private mode) just forgets. */

export function read<T>(key: string, fallback: T, check: (value: unknown) => value is T): T {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
    return check(value) ? value : fallback
  } catch {
    return fallback
  }
}

export function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Nothing depends on it but comfort.
  }
}
