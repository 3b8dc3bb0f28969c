const key = 'marquee:recent-searches'
const most = 6

/** What was searched for last in this browser, latest first. Empty where storage is closed. */
export function recentTerms(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.filter((term) => typeof term === 'string').slice(0, most) : []
  } catch {
    return []
  }
}

export function rememberTerm(term: string): void {
  const others = recentTerms().filter((kept) => kept.toLowerCase() !== term.toLowerCase())
  write([term, ...others].slice(0, most))
}

function write(terms: string[]) {
  try {
    localStorage.setItem(key, JSON.stringify(terms))
  } catch {
    // Nothing is lost but a convenience.
  }
}
