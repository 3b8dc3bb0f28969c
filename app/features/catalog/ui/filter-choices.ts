import type { MessageDescriptor } from '@lingui/core'
import type { SearchAnswer } from '#contract/catalog.ts'
import { productAccess, productKind } from '#contract/enumerations.ts'
import { accessLabels, durationLabels, kindLabels } from '../labels'

export interface Choice {
  value: string
  label: string
  /** How many products it would leave; null where it was not counted. */
  count: number | null
}

type Facets = SearchAnswer['facets']
type Say = (message: MessageDescriptor) => string

const mostTags = 14

const countIn = (facet: Facets[keyof Facets], value: string) => facet.find((one) => one.value === value)?.count ?? 0

export const kindChoices = (facets: Facets, say: Say): Choice[] =>
  productKind.options.map((value) => ({ value, label: say(kindLabels[value]), count: countIn(facets.kind, value) }))

export const accessChoices = (facets: Facets, say: Say): Choice[] =>
  productAccess.options.map((value) => ({
    value,
    label: say(accessLabels[value]),
    count: countIn(facets.access, value),
  }))

export const durationChoices = (say: Say): Choice[] =>
  Object.entries(durationLabels).map(([value, label]) => ({ value, label: say(label), count: null }))

export const tagChoices = (facets: Facets): Choice[] => facets.tag.slice(0, mostTags)
