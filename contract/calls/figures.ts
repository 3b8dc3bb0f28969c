import {
  productFigures,
  productFiguresQuery,
  productsFigures,
  productsFiguresQuery,
  storeFigures,
  storeFiguresQuery,
} from '../figures.ts'
import { call } from './call.ts'

const tag = 'Figures'

export const figuresCalls = {
  store: call('operator', 'GET', '/figures', { tag, summary: 'What came of the whole store, by day, week or month' })
    .input(storeFiguresQuery)
    .output(storeFigures),
  products: call('operator', 'GET', '/figures/products', { tag, summary: 'What came of each product, the most first' })
    .input(productsFiguresQuery)
    .output(productsFigures),
  product: call('operator', 'GET', '/figures/products/{code}', {
    tag,
    summary: 'What came of one product, by lesson and by day, week or month',
  })
    .input(productFiguresQuery)
    .output(productFigures),
}
