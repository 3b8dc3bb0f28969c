import type { CategoryTree } from './table.ts'

/** One is costly to make, and a file asks for thousands. */
const formats = new Map<string, Intl.DateTimeFormat>()
const formatOf = (timeZone: string) => {
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
  formats.set(timeZone, format)
  return format
}

/** What a clock of the zone shows, as if it were UTC. */
const parts = (date: Date, timeZone: string) => {
  const shown = formatOf(timeZone).formatToParts(date)
  const of = (part: Intl.DateTimeFormatPartTypes) => Number(shown.find(({ type }) => type === part)?.value)
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
}

/** The moment a clock of the zone shows this; null where it never does (the hour that summer time skips). */
const momentOf = (clock: number, timeZone: string): Date | null => {
  // The offset of a moment near by is right but around a change; the second try is on the right side of it.
  let moment = clock - (parts(new Date(clock), timeZone) - clock)
  moment = clock - (parts(new Date(moment), timeZone) - moment)
  const date = new Date(moment)
  return parts(date, timeZone) === clock ? date : null
}

const local = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[ T]+(\d{1,2}):(\d{2})(?::(\d{2}))?)?$/
const iso = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/i

/** `2026-11-21 09:00` by the store's clock, a day (its beginning), or ISO 8601 with its offset. Null for anything else. */
export const readTime = (text: string, timeZone: string): string | null => {
  if (iso.test(text)) {
    const date = new Date(text)
    return Number.isNaN(date.getTime()) ? null : date.toISOString()
  }
  const found = local.exec(text)
  if (!found) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1)
    .map((part) => Number(part ?? 0))
  const clock = Date.UTC(year, month - 1, day, hour, minute, second)
  const back = new Date(clock)
  if (back.getUTCMonth() !== month - 1 || back.getUTCDate() !== day || hour > 23 || minute > 59 || second > 59)
    return null
  return momentOf(clock, timeZone)?.toISOString() ?? null
}

/** By the store's clock where that says all of it, else in ISO 8601: reading it gives the same moment. */
export const writeTime = (moment: string, timeZone: string): string => {
  const clock = new Date(parts(new Date(moment), timeZone)).toISOString()
  const short = clock.slice(0, 16).replace('T', ' ')
  return readTime(short, timeZone) === moment ? short : moment
}

/** `Films|Short` and `Films > Drama`: a separator that is meant as itself has a backslash before it. */
const split = (text: string, separator: string): string[] => {
  const items = ['']
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at)
    const next = text[at + 1]
    if (letter === '\\' && (next === separator || next === '\\')) {
      items[items.length - 1] += next
      at++
    } else if (letter === separator) items.push('')
    else items[items.length - 1] += letter
  }
  return items.map((item) => item.trim()).filter((item) => item !== '')
}

const join = (items: readonly string[], separator: string, glue: string) =>
  items.map((item) => item.replace(/\\/g, '\\\\').replaceAll(separator, `\\${separator}`)).join(glue)

export const readList = (text: string) => split(text, '|')
export const writeList = (items: readonly string[]) => join(items, '|', '|')
/** The names of a category and those above it, from the root. */
export const readPath = (text: string) => split(text, '>')
export const writePath = (names: readonly string[]) => join(names, '>', ' > ')

export interface TreeNode {
  id: string
  parentId: string | null
  name: string
}

/** The categories of a store by their paths. Two of one path are told apart by nobody: the first counts. */
export const treeOf = (nodes: readonly TreeNode[]): CategoryTree & { paths: Map<string, string> } => {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const lineOf = (id: string): string[] => {
    const line: string[] = []
    for (let node = byId.get(id); node && !line.includes(node.id); node = byId.get(node.parentId ?? ''))
      line.push(node.id)
    return line
  }
  const pathOf = (id: string) =>
    byId.has(id)
      ? writePath(
          lineOf(id)
            .reverse()
            .map((one) => byId.get(one)?.name ?? ''),
        )
      : undefined
  const ids = new Map<string, string>()
  const paths = new Map<string, string>()
  for (const { id } of nodes) {
    const path = pathOf(id) ?? ''
    const key = path.toLowerCase()
    if (ids.has(key)) continue
    ids.set(key, id)
    paths.set(key, path)
  }
  return { lineOf, pathOf, paths, idOf: (path) => ids.get(path.toLowerCase()) }
}

/** A row as it stands in a file. `wrong` where the file itself cannot be read there. */
export interface SourceRow {
  row: number
  cells: Record<string, string>
  wrong?: { column: string | null; value: string | null; right: string }
}

/** A table that was handed in; its rows are read anew each time. */
export interface SourceTable {
  table: string
  file: string
  columns: readonly string[]
  rows: () => AsyncIterable<SourceRow>
}

/** The files beside the tables. */
export interface SourceFiles {
  /** Null where it is not there; a sentence where it may not be read. */
  open: (path: string) => Promise<{ path: string; bytes: number } | string | null>
}
