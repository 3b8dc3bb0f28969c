import { getChoseong } from 'es-hangul'
import type { AddressMatch } from '#contract/accounts.ts'
import type { AddressBook } from './address-book.ts'
import { type SampleRoad, sampleRoads } from './sample-roads.ts'

interface Entry {
  match: AddressMatch
  /** Every word an address may be asked for by, the road and its number first. */
  words: readonly string[]
  /** Without spaces, for those who leave them out: road with number, lot, building. */
  compact: readonly string[]
  initials: readonly string[]
}

const squeeze = (text: string) => text.replace(/\s+/g, '')

/** The houses of a road, with a lot each: a road's lots lie close together and every house has one of its own. */
const entriesOf = ([district, quarter, road, postcode, houses]: SampleRoad, index: number): Entry[] =>
  Object.entries(houses).map(([number, building], place) => {
    const lotNumber = `${20 + ((index * 37) % 700) + place * 3}${place % 2 === 1 ? `-${1 + ((index + place) % 9)}` : ''}`
    const match = {
      postcode: String(postcode + place).padStart(5, '0'),
      road: `${district} ${road} ${number}`,
      lot: `${district} ${quarter} ${lotNumber}`,
      building: building || null,
    }
    const names = [road, quarter, ...building.split(' '), ...district.split(' ')].filter(Boolean)
    return {
      match,
      words: [road, number, quarter, lotNumber, ...building.split(' '), ...district.split(' '), match.postcode].filter(
        Boolean,
      ),
      compact: [`${road}${number}`, `${quarter}${lotNumber}`, building].map(squeeze).filter(Boolean),
      initials: names.map((name) => getChoseong(name)),
    }
  })

const entries = sampleRoads.flatMap(entriesOf)

const initialsOnly = /^[ㄱ-ㅎ]+$/

/** How well a word fits: 0 not at all, more for a whole word than for its beginning, most for road and number. */
const worth = ({ words, compact, initials }: Entry, word: string): number => {
  if (initialsOnly.test(word)) return initials.some((name) => name.startsWith(word)) ? 1 : 0
  const whole = words.indexOf(word)
  if (whole >= 0) return whole < 2 ? 4 : 3
  if (words.some((own) => own.startsWith(word))) return 2
  return word.length >= 2 && compact.some((own) => own.startsWith(word) || (!/^\d/.test(word) && own.includes(word)))
    ? 1
    : 0
}

/** Addresses of the bundled sample: each word of the question has to fit. */
export const sampleBook: AddressBook = {
  search: async (question, most) => {
    const words = question.normalize('NFC').replaceAll(',', ' ').split(/\s+/).filter(Boolean).slice(0, 10)
    if (words.length === 0) return []
    return entries
      .map((entry) => ({ entry, worths: words.map((word) => worth(entry, word)) }))
      .filter(({ worths }) => worths.every((one) => one > 0))
      .map(({ entry, worths }) => ({ entry, sum: worths.reduce((total, one) => total + one, 0) }))
      .sort((a, b) => b.sum - a.sum)
      .slice(0, most)
      .map(({ entry }) => entry.match)
  },
}
