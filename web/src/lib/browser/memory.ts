// What the browser remembers between visits; a browser that remembers nothing is fine too.

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(`haggle-${key}`);
  } catch {
    return null;
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(`haggle-${key}`, value);
  } catch {
    // Private windows may refuse; then it is asked again next time.
  }
}
