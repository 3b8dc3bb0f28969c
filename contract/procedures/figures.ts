import {
  figuresTable,
  figuresTableQuery,
  productFigures,
  productFiguresQuery,
  productRetention,
  productRetentionQuery,
  productsFigures,
  productsFiguresQuery,
  storeFigures,
  storeFiguresQuery,
  videoStretches,
} from '../figures.ts'
import { procedure } from './procedure.ts'

const tag = 'Figures'
const scope = 'analytics:read'

export const figuresProcedures = {
  store: procedure('operator', 'GET', '/figures', {
    tag,
    scope,
    summary: 'What came of the whole store, by day, week or month',
  })
    .input(storeFiguresQuery)
    .output(storeFigures),
  products: procedure('operator', 'GET', '/figures/products', {
    tag,
    scope,
    summary: 'What came of each product, the most first',
  })
    .input(productsFiguresQuery)
    .output(productsFigures),
  product: procedure('operator', 'GET', '/figures/products/{code}', {
    tag,
    scope,
    summary: 'What came of one product, by lesson and by day, week or month',
  })
    .input(productFiguresQuery)
    .output(productFigures),
  retention: procedure('operator', 'GET', '/figures/products/{code}/retention', {
    tag,
    scope,
    summary: 'How far into each of its videos the plays of a product went',
    description: `A video is divided into ${videoStretches} equal stretches; of each, the share of plays that watched at least a moment of it.`,
  })
    .input(productRetentionQuery)
    .output(productRetention),
  table: procedure('operator', 'GET', '/figures.csv', {
    tag,
    scope,
    summary: 'Figures as a table for spreadsheets',
    description:
      'A line for each product (`sort` and `limit` are theirs), day, week or month; with `product`, for each lesson, day, week, month, or stretch of a video (`retention`). UTF-8 with its mark; a text that a spreadsheet would take for a formula begins with an apostrophe.',
  })
    .input(figuresTableQuery)
    .output(figuresTable),
}
