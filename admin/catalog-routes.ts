import { createRoute } from '@tanstack/react-router'
import { planId, productCode, videoId } from '#contract/ids.ts'
import { parseProductsSearch } from './features/catalog/products.search'
import { parseLibrarySearch, parseVideoSearch, parseVideosSearch } from './features/media/videos.search'
import { page, pathValue, root } from './root-route'

const products = createRoute({
  getParentRoute: () => root,
  path: '/products',
  validateSearch: parseProductsSearch,
  component: page(() => import('./features/catalog/product-list'), 'ProductList'),
})

const newProduct = createRoute({
  getParentRoute: () => root,
  path: '/products/new',
  component: page(() => import('./features/catalog/new-product'), 'NewProduct'),
})

const jobs = createRoute({
  getParentRoute: () => root,
  path: '/jobs',
  component: page(() => import('./features/catalog/jobs-page'), 'JobsPage'),
})

const imports = createRoute({
  getParentRoute: () => root,
  path: '/imports',
  component: page(() => import('./features/catalog/import-page'), 'ImportPage'),
})

const product = createRoute({
  getParentRoute: () => root,
  path: '/products/$code',
  params: { parse: ({ code }) => ({ code: pathValue(productCode, code) }) },
  component: page(() => import('./features/catalog/product-page'), 'ProductPage'),
})

const categories = createRoute({
  getParentRoute: () => root,
  path: '/categories',
  component: page(() => import('./features/catalog/category-tree'), 'CategoryTree'),
})

const plans = createRoute({
  getParentRoute: () => root,
  path: '/plans',
  component: page(() => import('./features/catalog/plan-list'), 'PlanList'),
})

const newPlan = createRoute({
  getParentRoute: () => root,
  path: '/plans/new',
  component: page(() => import('./features/catalog/plan-list'), 'NewPlan'),
})

const plan = createRoute({
  getParentRoute: () => root,
  path: '/plans/$id',
  params: { parse: ({ id }) => ({ id: pathValue(planId, id) }) },
  component: page(() => import('./features/catalog/plan-page'), 'PlanPage'),
})

const videos = createRoute({
  getParentRoute: () => root,
  path: '/videos',
  validateSearch: parseVideosSearch,
  component: page(() => import('./features/catalog/video-list'), 'VideoList'),
})

const videoLibrary = createRoute({
  getParentRoute: () => root,
  path: '/videos/library',
  validateSearch: parseLibrarySearch,
  component: page(() => import('./features/media/video-library'), 'VideoLibrary'),
})

const video = createRoute({
  getParentRoute: () => root,
  path: '/videos/$id',
  params: { parse: ({ id }) => ({ id: pathValue(videoId, id) }) },
  validateSearch: parseVideoSearch,
  component: page(() => import('./features/media/video-page'), 'VideoPage'),
})

/** The pages of products, categories, plans and videos. */
export const catalogRoutes = [
  products,
  newProduct,
  imports,
  jobs,
  product,
  categories,
  plans,
  newPlan,
  plan,
  videos,
  videoLibrary,
  video,
] as const
