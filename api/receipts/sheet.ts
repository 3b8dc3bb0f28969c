import PDFDocument from 'pdfkit'
import type { Locale } from '#contract/enumerations.ts'
import { breakable, type FontName, fontFiles, type Holds, runsOf } from './lettering.ts'

interface FontInside {
  hasGlyphForCodePoint: (codePoint: number) => boolean
}

export const margin = 56
const ink = '#1f2430'

export interface TextLook {
  size?: number
  colour?: string
  /** At the far edge of the line: right, or left where one reads from the right. */
  end?: boolean
}

/** One A4 document in one language: text at the reader's side, broken into lines, in whichever fonts it needs. */
export interface Sheet {
  width: number
  /** Writes within the columns `from` to `to`, shares of the width from the reader's side; answers the height taken. */
  write: (text: string, y: number, columns: { from: number; to: number }, look?: TextLook) => number
  rule: (y: number, colour?: string) => void
  /** A new page when less than `height` is left below `y`; answers where to go on. */
  room: (y: number, height: number) => number
  holds: (text: string) => boolean
  end: () => Promise<Buffer>
}

/** Opens a sheet; `about` is its title for those who list files. */
export const openSheet = (locale: Locale, about: { title: string; author: string; at: Date }): Sheet => {
  const doc = new PDFDocument({
    size: 'A4',
    margin,
    lang: locale,
    info: { Title: about.title, Author: about.author, CreationDate: about.at, ModDate: about.at },
  })
  const chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  const done = new Promise<Buffer>((resolve, reject) => {
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
  const inside = new Map<FontName, FontInside>()
  for (const [name, file] of fontFiles()) {
    doc.registerFont(name, file)
    doc.font(name)
    inside.set(name, (doc as unknown as { _font: { font: FontInside } })._font.font)
  }
  const holds: Holds = (font, codePoint) => inside.get(font)?.hasGlyphForCodePoint(codePoint) ?? false
  const rightToLeft = locale === 'ar'
  const width = doc.page.width - 2 * margin

  // Asking for features keeps a run whole: word by word, one that reads from the right would come out of order.
  const whole = { features: [] as PDFKit.Mixins.OpenTypeFeatures[] }
  const widthOf = (line: string, size: number) =>
    runsOf(line, locale, holds).reduce((sum, run) => {
      return sum + doc.font(run.font).fontSize(size).widthOfString(run.text, whole)
    }, 0)

  const linesOf = (text: string, size: number, room: number): string[] => {
    const lines: string[] = []
    let line = ''
    for (const part of breakable(text.replace(/\s+/g, ' ').trim())) {
      if (line !== '' && widthOf((line + part).trimEnd(), size) > room) {
        lines.push(line.trimEnd())
        line = ''
      }
      line += part
    }
    return [...lines, line.trimEnd()]
  }

  return {
    width,
    write: (text, y, { from, to }, { size = 10, colour = ink, end = false } = {}) => {
      const [left, right] = rightToLeft ? [1 - to, 1 - from] : [from, to]
      const room = (right - left) * width
      const atRight = end !== rightToLeft
      const height = size * 1.5
      const lines = linesOf(text, size, room)
      for (const [index, line] of lines.entries()) {
        let x = margin + left * width + (atRight ? room - widthOf(line, size) : 0)
        for (const run of runsOf(line, locale, holds)) {
          doc.font(run.font).fontSize(size).fillColor(colour)
          doc.text(run.text, x, y + index * height + size, { ...whole, lineBreak: false, baseline: 'alphabetic' })
          x += doc.widthOfString(run.text, whole)
        }
      }
      return lines.length * height
    },
    rule: (y, colour = '#d3d8e0') => {
      doc
        .moveTo(margin, y)
        .lineTo(margin + width, y)
        .lineWidth(0.75)
        .strokeColor(colour)
        .stroke()
    },
    room: (y, height) => {
      if (y + height <= doc.page.height - margin) return y
      doc.addPage()
      return margin
    },
    holds: (text) => [...text].every((one) => [...inside.keys()].some((font) => holds(font, one.codePointAt(0) ?? 0))),
    end: () => {
      doc.end()
      return done
    },
  }
}
