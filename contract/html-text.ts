import * as z from 'zod/mini'
import { cleanText, trimText } from './text.ts'

/** Elements whose content is not shown. */
const unseenTags = new Set(['noscript', 'option', 'script', 'style', 'textarea'])

/** Named characters that are not seen, in lower case. */
const unseenNames = new Set(
  (
    'af applyfunction emsp emsp13 emsp14 ensp hairsp ic invisiblecomma invisibletimes it lrm mediumspace nbsp ' +
    'negativemediumspace negativethickspace negativethinspace negativeverythinspace newline nobreak ' +
    'nonbreakingspace numsp puncsp rlm shy tab thickspace thinsp thinspace verythinspace zerowidthspace zwj zwnj'
  ).split(' '),
)

/** A character by its number or its name, as in `&#160;`, `&#xa0;` and `&nbsp;`. */
const reference = /&(?:#x([\da-f]+)|#(\d+)|([a-z][a-z\d]*));?/gi

/** The text of HTML without tags, where a named character that is seen stays as it is written. */
const decoded = (html: string): string =>
  html.replace(reference, (written, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return unseenNames.has(name.toLowerCase()) ? '' : written
    const number = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return number > 0 && number <= 0x10ffff ? String.fromCodePoint(number) : '\ufffd'
  })

/** The place after a tag, a comment or an element that is not shown, which begins at `start`. */
const endOfTag = (html: string, start: number): number => {
  const after = (text: string, from: number) => {
    const at = html.indexOf(text, from)
    return at < 0 ? html.length : at + text.length
  }
  if (html.startsWith('<!--', start)) return after('-->', start + 4)
  const end = after('>', start)
  const [, name = ''] = /^<([a-z]+)/i.exec(html.slice(start, start + 12)) ?? []
  if (!unseenTags.has(name.toLowerCase())) return end
  const closing = html.slice(end).search(new RegExp(`</${name}`, 'i'))
  return closing < 0 ? html.length : after('>', end + closing)
}

const picture = /^<img\s(?:[^>]*\s)?src\s*=\s*["']?[^\s"'>]/i

/** Whether visitors see something of HTML: a character or a picture. */
const isShown = (html: string): boolean => {
  for (let at = 0; at < html.length; ) {
    const next = html.slice(at).search(/<[a-z/!?]/i)
    const start = next < 0 ? html.length : at + next
    if (trimText(decoded(html.slice(at, start))) !== '') return true
    if (start === html.length) return false
    at = endOfTag(html, start)
    if (picture.test(html.slice(start, at))) return true
  }
  return false
}

/** Whether a character is one that `cleanText` removes. */
const isControl = (character: string) => character !== '' && cleanText(`.${character}.`) === '..'

/**
 * Trims HTML, without the controls that would show a text as another one. HTML of which nothing is
 * seen is empty.
 */
export const cleanHtml = (html: string): string => {
  const clean = cleanText(html.replace(reference, (written) => (isControl(decoded(written)) ? '' : written)))
  return isShown(clean) ? clean : ''
}

/** Cleans HTML as `cleanHtml` does, before its length is checked. */
export const cleanedHtml = z.overwrite(cleanHtml)
