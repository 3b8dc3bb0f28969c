const parts = /yyyy|yy|mm|dd/g

/** An ISO day written in a format such as `mm/dd/yy`; empty for no day. */
export function writeDate(iso: string, format: string): string {
  const [year = '', month = '', day = ''] = iso.split('-')
  if (!day) return ''
  const written: Record<string, string> = { yyyy: year, yy: year.slice(-2), mm: month, dd: day }
  return format.replace(parts, (part) => written[part]!)
}

/** The ISO day that was written in a format; a year of two digits is of this century. Undefined for what is no day. */
export function readDate(text: string, format: string): string | undefined {
  const numbers = latinDigits(text).match(/\d+/g) ?? []
  const order = format.match(parts) ?? []
  if (numbers.length !== order.length) return undefined
  const read = Object.fromEntries(order.map((part, index) => [part.slice(0, 1), numbers[index]!]))
  const year = read.y!.length === 2 ? `20${read.y}` : read.y!
  const iso = `${year}-${read.m!.padStart(2, '0')}-${read.d!.padStart(2, '0')}`
  return isDay(iso) ? iso : undefined
}

const isDay = (iso: string) => {
  const time = Date.parse(`${iso}T00:00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(iso) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(iso)
}

const latinDigits = (text: string) =>
  text.replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) - 0x660)).replace(/[０-９]/g, (d) => d.normalize('NFKC'))
