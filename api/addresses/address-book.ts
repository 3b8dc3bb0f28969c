import type { AddressMatch } from '#contract/accounts.ts'

/** Where postal addresses are found by their words: a road with its number, a lot, a building, a postcode. */
export interface AddressBook {
  /** The best matches first, `most` at most. */
  search: (words: string, most: number) => Promise<AddressMatch[]>
}
