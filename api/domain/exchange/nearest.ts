/** Letters that must change, come, go or change places to make one word of another; more than `most` are not counted out. */
const distance = (a: string, b: string, most: number): number => {
  if (Math.abs(a.length - b.length) > most) return most + 1
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= a.length; i++) {
    const [above, row] = [rows[i - 1]!, [i]]
    for (let j = 1; j <= b.length; j++) {
      row[j] = Math.min(row[j - 1]! + 1, above[j]! + 1, above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) row[j] = Math.min(row[j]!, rows[i - 2]![j - 2]! + 1)
    }
    rows.push(row)
  }
  return rows[a.length]![b.length]!
}

const plain = (word: string) => word.normalize('NFC').toLowerCase()

/** The word that was probably meant; undefined where none is near. */
export const nearest = (word: string, words: Iterable<string>): string | undefined => {
  const wanted = plain(word)
  let best: { word: string; apart: number } | undefined
  for (const candidate of words) {
    const known = plain(candidate)
    const most = Math.min(best ? best.apart - 1 : 2, Math.floor(Math.max(wanted.length, known.length) / 3))
    if (most < 0) break
    const apart = distance(wanted, known, most)
    if (apart <= most) best = { word: candidate, apart }
  }
  return best?.word
}

/** ` Did you mean Films?`, or nothing. */
export const meant = (word: string, words: Iterable<string>) => {
  const near = nearest(word, words)
  return near === undefined ? '' : ` Did you mean ${near}?`
}
