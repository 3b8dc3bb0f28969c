import { suggestQuery } from '#contract/catalog.ts'
import { checked, readFn } from '~/platform/api/server-fn'

/** A handful of products and categories for what is being typed. */
export const suggest = readFn()
  .validator(checked(suggestQuery))
  .handler(({ data, context }) => context.ask((api) => api.catalog.suggest(data)))
