/**
 * Legacy encodings of caption files and the characters that identify each. `euc-kr` is CP949 in
 * WHATWG decoders. Half-width kana are excluded: CP949 text decoded as Shift_JIS contains them.
 */
const legacy = [
  { encoding: 'euc-kr', letters: /\p{Script=Hangul}/gu, language: 'ko' },
  { encoding: 'shift_jis', letters: /[\u3040-\u30FF]/g, language: 'ja' },
]

/** Decodes a caption file: UTF-8, UTF-16, CP949, Shift_JIS, else Windows-1252. */
function decodeText(bytes: Uint8Array, language?: string): string {
  const marked = byteOrderMark(bytes)
  if (marked) return new TextDecoder(marked).decode(bytes)
  const plain = decode('utf-8', bytes)
  if (plain !== null && !plain.includes('\0')) return plain
  const zeros = (start: number) => bytes.filter((byte, at) => at % 2 === start && byte === 0).length
  const [even, odd] = [zeros(0), zeros(1)]
  if (even + odd > bytes.length / 8) return new TextDecoder(odd > even ? 'utf-16le' : 'utf-16be').decode(bytes)
  const [best] = legacy
    .flatMap(({ encoding, letters, language: of }) => {
      const text = decode(encoding, bytes)
      if (text === null) return []
      return [{ text, score: (text.match(letters)?.length ?? 0) * (language?.startsWith(of) ? 3 : 1) }]
    })
    .sort((a, b) => b.score - a.score)
  return best && best.score > 0 ? best.text : new TextDecoder('windows-1252').decode(bytes)
}

function byteOrderMark([first, second, third]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xef && second === 0xbb && third === 0xbf ? 'utf-8' : null
}

function decode(encoding: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

export interface Cue {
  startSeconds: number
  endSeconds: number
  /** Plain text with one line per displayed line. */
  text: string
}

/** A cue with its WebVTT markup and position settings. */
export interface MarkedCue extends Cue {
  markup: string
  settings: string
}

/** The largest accepted caption file. */
const maxCaptionBytes = 10_000_000
/** The longest cue text. Longer text is truncated. */
const longestCue = 4_000

export type CaptionsFault = 'EMPTY' | 'TOO_LARGE' | 'NO_TIMES' | 'INVALID_TIMES' | 'ENDS_BEFORE_START' | 'NO_CUES'

/** A caption file that cannot be read, with the line of the first error and what is there. */
export class CaptionsInvalid extends Error {
  override readonly name = 'CaptionsInvalid'
  readonly fault: CaptionsFault
  readonly line: number | null
  readonly found: string
  constructor(fault: CaptionsFault, line: number | null = null, found = '') {
    super(`${fault}${line === null ? '' : `, line ${line}: ${found}`}`)
    this.fault = fault
    this.line = line
    this.found = found
  }
}

/**
 * Rejects a file by its size, before it is read.
 *
 * @throws CaptionsInvalid if the file is empty or too large.
 */
export function checkCaptionsSize(bytes: number) {
  if (bytes === 0) throw new CaptionsInvalid('EMPTY')
  if (bytes > maxCaptionBytes) throw new CaptionsInvalid('TOO_LARGE')
}

/**
 * Parses SRT or WebVTT, in order of time. `language` helps to recognize a legacy encoding.
 *
 * @throws CaptionsInvalid with the line number of the first error.
 */
export function parseCaptions(bytes: Uint8Array, language: string): MarkedCue[] {
  checkCaptionsSize(bytes.length)
  const lines = decodeText(bytes, language)
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\r|\n/)
  const webVtt = /^WEBVTT(\s|$)/.test(lines[0] ?? '')
  const cues: MarkedCue[] = []
  for (const { line, rows } of blocksOf(lines)) {
    const at = rows.findIndex((row) => row.includes('-->'))
    const [top = ''] = rows
    if (at === -1) {
      if (webVtt && (line === 1 || /^(NOTE|STYLE|REGION)(\s|$)/.test(top))) continue
      // A cue number or identifier without text is ignored.
      if (rows.length === 1 && /^\d+$/.test(top.trim())) continue
      throw new CaptionsInvalid('NO_TIMES', line, shorten(top))
    }
    const times = rows[at] ?? ''
    const timing = timingOf(times)
    if (!timing) throw new CaptionsInvalid('INVALID_TIMES', line + at, shorten(times))
    if (timing.endSeconds < timing.startSeconds)
      throw new CaptionsInvalid('ENDS_BEFORE_START', line + at, shorten(times))
    const markup = markupOf(rows.slice(at + 1), webVtt)
    const text = plain(markup)
    if (text && timing.endSeconds > timing.startSeconds)
      cues.push({ ...timing, markup, text, settings: webVtt ? timing.settings : '' })
  }
  if (cues.length === 0) throw new CaptionsInvalid('NO_CUES')
  return cues.sort((a, b) => a.startSeconds - b.startSeconds)
}

/**
 * Splits lines into blocks with the number of their first line. A timing line starts a new block
 * even without an empty line before it.
 */
function blocksOf(lines: readonly string[]): { line: number; rows: string[] }[] {
  const blocks: { line: number; rows: string[] }[] = []
  let open = false
  for (const [index, row] of lines.entries()) {
    if (row.trim() === '') {
      open = false
      continue
    }
    const before = (open && blocks.at(-1)?.rows) || []
    if (before.some((each) => timingPattern.test(each)) && timingPattern.test(row)) {
      // The number above a timing line belongs to that cue.
      if (before.length > 1 && /^\d+$/.test((before.at(-1) ?? '').trim())) before.pop()
      open = false
    }
    if (open) before.push(row)
    else blocks.push({ line: index + 1, rows: [row] })
    open = true
  }
  return blocks
}

const timePattern = /(?:(\d{1,3}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?/
const timingPattern = new RegExp(`^\\s*${timePattern.source}\\s*-->\\s*${timePattern.source}(?:\\s+(.*))?$`)
/** WebVTT cue settings. The pattern admits no other content. */
const settingPattern = /^(vertical|line|position|size|align):[a-z0-9.,%-]+$/

function timingOf(row: string) {
  const match = timingPattern.exec(row)
  if (!match) return null
  const seconds = ([hours = '0', minutes = '0', rest = '0', fraction = '0']: (string | undefined)[]) =>
    Math.round((Number(hours) * 3600 + Number(minutes) * 60 + Number(`${rest}.${fraction}`)) * 1000) / 1000
  const settings = (match[9] ?? '').split(/\s+/).filter((each) => settingPattern.test(each))
  return {
    startSeconds: seconds(match.slice(1, 5)),
    endSeconds: seconds(match.slice(5, 9)),
    settings: settings.join(' '),
  }
}

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&nbsp;': '\u00A0',
  '&lrm;': '\u200E',
  '&rlm;': '\u200F',
}
const decodeEntities = (text: string) =>
  text.replace(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (entity) => entities[entity] ?? entity)
/** Returns a text as it is written between elements of HTML or WebVTT. */
export const escapeText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Removes override tags such as `{\an8}`, including nested ones. */
const withoutOverrides = (text: string): string => {
  const less = text.replace(/\{\\[^{}]{0,2000}\}/g, '')
  return less === text ? text : withoutOverrides(less)
}

/** Control characters and byte order marks, which break some players. */
const invisibleCharacters = /[^\P{Cc}\n\t]|\uFEFF/gu

/** Retains italics, bold and underline; removes fonts, colours, voices and other formatting. */
function markupOf(rows: readonly string[], webVtt: boolean): string {
  const text = rows.join('\n').slice(0, longestCue).toWellFormed().replace(invisibleCharacters, '')
  const parts = withoutOverrides(text).split(/(<\/?[^<>\n]{0,2000}>)/)
  return withoutEmptyLines(
    parts
      .map((part, at) => {
        if (at % 2 === 0) return escapeText(webVtt ? decodeEntities(part) : part)
        return /^<\/?[ibu]>$/i.test(part) ? part.toLowerCase() : /^<\/?[a-z0-9]/i.test(part) ? '' : escapeText(part)
      })
      .join(''),
  )
}

const withoutEmptyLines = (text: string) =>
  text
    .split('\n')
    .map((row) => row.trim())
    .filter(Boolean)
    .join('\n')

const plain = (markup: string) => withoutEmptyLines(decodeEntities(markup.replace(/<[^<>]{0,2000}>/g, '')))
const shorten = (row: string) => (row.length > 60 ? `${row.slice(0, 60)}…` : row).trim()

/** Creates a cue of plain text. */
export const plainCue = (startSeconds: number, endSeconds: number, text: string): MarkedCue => ({
  startSeconds,
  endSeconds,
  text,
  markup: escapeText(text),
  settings: '',
})

/** Returns the text of a cue to edit: its words, with `<i>`, `<b>` and `<u>` as they are typed. */
export const editableText = ({ markup }: Pick<MarkedCue, 'markup'>): string => decodeEntities(markup)

/** Returns the markup of a text that was edited. See `editableText`. */
export const markupOfEdited = (text: string): string => markupOf([text], false)

/** Returns the cues between two times, in seconds, relative to the first. */
export function cuesWithin<Each extends Cue>(cues: readonly Each[], from: number, to: number): Each[] {
  return cues
    .filter(({ startSeconds, endSeconds }) => startSeconds < to && endSeconds > from)
    .map((cue) => ({
      ...cue,
      startSeconds: Math.max(0, cue.startSeconds - from),
      endSeconds: Math.min(cue.endSeconds, to) - from,
    }))
}

/** Writes a WebVTT file. Zero of its clock is zero of the film. */
export function webVtt(
  cues: readonly (Pick<MarkedCue, 'startSeconds' | 'endSeconds'> & { markup: string; settings?: string })[],
): string {
  const blocks = cues.map(
    ({ startSeconds, endSeconds, settings, markup }) =>
      `${timestamp(startSeconds)} --> ${timestamp(endSeconds)}${settings ? ` ${settings}` : ''}\n${markup}\n`,
  )
  return [`WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n`, ...blocks].join('\n')
}

/** Formats seconds as a WebVTT timestamp. */
export function timestamp(seconds: number): string {
  const all = Math.round(seconds * 1000)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  return `${two(all / 3_600_000)}:${two((all / 60_000) % 60)}:${two((all / 1000) % 60)}.${String(all % 1000).padStart(3, '0')}`
}
