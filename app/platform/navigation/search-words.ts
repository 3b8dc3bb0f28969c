import { defaultStringifySearch } from '@tanstack/react-router'

/**
 * Writes an address's search: a list is its word repeated (`kind=PAY&kind=VOD`), just as a plain form would send it; all
 * else as the router writes it.
 */
export function stringifySearch(search: Record<string, unknown>): string {
  const lists = Object.entries(search).filter(([, value]) => Array.isArray(value))
  const rest = Object.fromEntries(Object.entries(search).filter(([, value]) => !Array.isArray(value)))
  const written = [
    defaultStringifySearch(rest).slice(1),
    ...lists.flatMap(([word, values]) =>
      (values as unknown[]).map((value) => `${encodeURIComponent(word)}=${encodeURIComponent(String(value))}`),
    ),
  ].filter(Boolean)
  return written.length > 0 ? `?${written.join('&')}` : ''
}
