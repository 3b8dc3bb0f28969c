import { productKind, productLack, productSort, saleState } from '#contract/enumerations.ts'
import { categoryId } from '#contract/ids.ts'
import { parameter, searchParser, shared } from '../../platform/search'

export const parseProductsSearch = searchParser({
  q: shared.text,
  state: parameter(saleState),
  kind: parameter(productKind),
  categoryId: parameter(categoryId),
  tag: shared.text,
  lacks: parameter(productLack),
  sort: parameter(productSort),
  cursor: shared.cursor,
  columns: shared.columns,
})
export type ProductsSearch = ReturnType<typeof parseProductsSearch>
