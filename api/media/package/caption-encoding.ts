/** Encodings caption files come in besides Unicode, by the letters that speak for each. `euc-kr` is the whole of CP949 here; half-width kana are what it looks like when it is read as Shift_JIS. */
const legacy = [
  { encoding: 'euc-kr', letters: /\p{Script=Hangul}/gu, language: 'ko' },
  { encoding: 'shift_jis', letters: /[\u3040-\u30FF]/g, language: 'ja' },
]

/** The text of a caption file in whatever encoding it was saved: UTF-8, UTF-16, CP949, Shift_JIS, else Windows-1252. */
export function decodeText(bytes: Uint8Array, language?: string): string {
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
