import { stringifySearchWith } from '@tanstack/react-router'

/** How a text begins, or all it is, that could be read as JSON. */
const jsonLike = /^\s*(?:["[{]|-?\d+(?:\.\d+)?(?:e[-+]?\d+)?\s*$|(?:true|false|null)\s*$)/i
const noJson = new SyntaxError('This is no JSON.')

/**
 * As the router writes an address, which puts what could be read as JSON in quotes. It finds out by trying, and most words fail; this
 * trial fails without the cost of a new error, which every link of a page would pay.
 */
const stringifyPlain = stringifySearchWith(JSON.stringify, (text: string) => {
  if (!jsonLike.test(text)) throw noJson
  return JSON.parse(text)
})

/**
 * Writes an address's search: a list is its word repeated (`kind=PAY&kind=VOD`), just as a plain form would send it; all
 * else as the router writes it.
 */
export function stringifySearch(search: Record<string, unknown>): string {
  const lists = Object.entries(search).filter(([, value]) => Array.isArray(value))
  const rest = Object.fromEntries(Object.entries(search).filter(([, value]) => !Array.isArray(value)))
  const written = [
    stringifyPlain(rest).slice(1),
    ...lists.flatMap(([word, values]) =>
      (values as unknown[]).map((value) => `${encodeURIComponent(word)}=${encodeURIComponent(String(value))}`),
    ),
  ].filter(Boolean)
  return written.length > 0 ? plainSlashes(`?${written.join('&')}`) : ''
}

/** An address with the slashes of its search as they are: `category=films/landscape`. A query may hold them (RFC 3986, 3.4). */
export function plainSlashes(href: string): string {
  const at = href.indexOf('?')
  return at < 0 ? href : href.slice(0, at) + href.slice(at).replaceAll('%2F', '/')
}
