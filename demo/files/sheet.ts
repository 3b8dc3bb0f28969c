import { PDFDocument, type SKRSContext2D } from '@napi-rs/canvas'

/** A4, in points. */
export const PAGE = { width: 595, height: 842, margin: 56 } as const

type Face = 'text' | 'bold' | 'title' | 'small'

const FONTS: Record<'en' | 'ko', Record<Face, string>> = {
  en: { title: '30px "EB Garamond"', bold: '700 11px Lato', text: '11px Lato', small: '8.5px Lato' },
  ko: {
    title: '800 24px NanumMyeongjo',
    bold: '700 11px NanumGothic',
    text: '11px NanumGothic',
    small: '8.5px NanumGothic',
  },
}

/** Pages of a PDF, written from top to bottom. */
export class Sheet {
  private readonly document: PDFDocument
  private readonly language: 'en' | 'ko'
  private readonly footer: string
  private context!: SKRSContext2D
  private page = 0
  /** Where the next thing is put. */
  y = 0

  constructor(language: 'en' | 'ko', title: string, author: string) {
    this.document = new PDFDocument({ title, author })
    this.language = language
    this.footer = `${title} · ${author}`
  }

  get pen(): SKRSContext2D {
    return this.context
  }

  newPage(title: string, subtitle: string): void {
    if (this.page > 0) this.document.endPage()
    this.page++
    this.context = this.document.beginPage(PAGE.width, PAGE.height) as unknown as SKRSContext2D
    this.write('small', this.footer, PAGE.margin, PAGE.height - 30, '#8a8378')
    this.write('small', `${this.page}`, PAGE.width - PAGE.margin - 6, PAGE.height - 30, '#8a8378')
    this.write('title', title, PAGE.margin, PAGE.margin + 28)
    this.write('text', subtitle, PAGE.margin, PAGE.margin + 50, '#6b645a')
    this.rule(PAGE.margin + 64)
    this.y = PAGE.margin + 92
  }

  write(face: Face, text: string, x: number, y: number, colour = '#22201d'): void {
    this.context.font = FONTS[this.language][face]
    this.context.fillStyle = colour
    this.context.fillText(text, x, y)
  }

  rule(y: number, colour = '#b7ae9f', from: number = PAGE.margin, to: number = PAGE.width - PAGE.margin): void {
    this.context.strokeStyle = colour
    this.context.lineWidth = 0.6
    this.context.beginPath()
    this.context.moveTo(from, y)
    this.context.lineTo(to, y)
    this.context.stroke()
  }

  /** Wraps words over lines and moves on. */
  paragraph(
    text: string,
    face: Face = 'text',
    x: number = PAGE.margin,
    width: number = PAGE.width - PAGE.margin - x,
  ): void {
    this.context.font = FONTS[this.language][face]
    let line = ''
    const flush = () => {
      this.write(face, line, x, this.y)
      this.y += 16
    }
    for (const word of text.split(' ')) {
      const longer = line ? `${line} ${word}` : word
      if (line && this.context.measureText(longer).width > width) {
        flush()
        line = word
      } else line = longer
    }
    flush()
    this.y += 6
  }

  heading(text: string): void {
    this.y += 10
    this.paragraph(text, 'bold')
  }

  /** An empty frame to draw in. */
  frame(x: number, y: number, width: number, height: number): void {
    this.context.strokeStyle = '#8a8378'
    this.context.lineWidth = 0.8
    this.context.strokeRect(x, y, width, height)
  }

  /** Lines to write on. */
  lines(count: number, gap = 24): void {
    for (let line = 0; line < count; line++) {
      this.y += gap
      this.rule(this.y)
    }
    this.y += 26
  }

  close(): Buffer {
    this.document.endPage()
    return this.document.close()
  }
}
