import { type NavigateOptions, type RegisteredRouter, redirect } from '@tanstack/react-router'
import type { redirectWithNotice } from '~/platform/navigation/guards'
import type { FileRoutesByTo } from '~/routeTree.gen'

/**
 * Links that must not compile: of every page one with a parameter it does not have, one for each
 * parameter with a value of another type, and where its path has a name, one without it and one
 * with another. `tsc` fails where any of them is accepted.
 */
declare const away: typeof redirectWithNotice
declare const navigate: <To extends string>(link: NavigateOptions<RegisteredRouter, string, To>) => void

type Page = Exclude<keyof FileRoutesByTo, `/api/${string}` | `${string}.${string}`>

/** Not of the type of any parameter. */
const wrong = Symbol('wrong')

export const wrongLinks = {
  '/': () => {
    // @ts-expect-error
    navigate({ to: '/', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/', search: { notice: wrong } })
  },
  '/login': () => {
    // @ts-expect-error
    navigate({ to: '/login', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/login', search: { redirect: wrong } })
    // @ts-expect-error
    navigate({ to: '/login', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/login', search: { notice: wrong } })
  },
  '/join/input': () => {
    // @ts-expect-error
    navigate({ to: '/join/input', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/join/input', search: { redirect: wrong } })
    // @ts-expect-error
    navigate({ to: '/join/input', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/join/input', search: { notice: wrong } })
  },
  '/join/verify': () => {
    // @ts-expect-error
    navigate({ to: '/join/verify', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/join/verify', search: { redirect: wrong } })
    // @ts-expect-error
    navigate({ to: '/join/verify', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/join/verify', search: { notice: wrong } })
  },
  '/join/completed': () => {
    // @ts-expect-error
    navigate({ to: '/join/completed', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/join/completed', search: { redirect: wrong } })
    // @ts-expect-error
    navigate({ to: '/join/completed', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/join/completed', search: { notice: wrong } })
  },
  '/reset-password': () => {
    // @ts-expect-error
    navigate({ to: '/reset-password', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/reset-password', search: { key: wrong } })
    // @ts-expect-error
    navigate({ to: '/reset-password', search: { redirect: wrong } })
    // @ts-expect-error
    navigate({ to: '/reset-password', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/reset-password', search: { notice: wrong } })
  },
  '/faq': () => {
    // @ts-expect-error
    navigate({ to: '/faq', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/faq', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/faq', search: { notice: wrong } })
  },
  '/notices': () => {
    // @ts-expect-error
    navigate({ to: '/notices', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/notices', search: { page: wrong } })
    // @ts-expect-error
    navigate({ to: '/notices', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/notices', search: { notice: wrong } })
  },
  '/notices/$id': () => {
    // @ts-expect-error
    navigate({ to: '/notices/$id', params: { id: 'a' }, search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/notices/$id', params: { id: 'a' }, search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/notices/$id', params: { id: 'a' }, search: { notice: wrong } })
    // @ts-expect-error
    navigate({ to: '/notices/$id' })
    // @ts-expect-error
    navigate({ to: '/notices/$id', params: { nonsense: 'a' } })
    // @ts-expect-error
    navigate({ to: '/notices/$id', params: { id: wrong } })
  },
  '/pages/$type': () => {
    // @ts-expect-error
    navigate({ to: '/pages/$type', params: { type: 'a' }, search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/pages/$type', params: { type: 'a' }, search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/pages/$type', params: { type: 'a' }, search: { notice: wrong } })
    // @ts-expect-error
    navigate({ to: '/pages/$type' })
    // @ts-expect-error
    navigate({ to: '/pages/$type', params: { nonsense: 'a' } })
    // @ts-expect-error
    navigate({ to: '/pages/$type', params: { type: wrong } })
  },
  '/videos': () => {
    // @ts-expect-error
    navigate({ to: '/videos', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/videos', search: { category: wrong } })
    // @ts-expect-error
    navigate({ to: '/videos', search: { kind: wrong } })
    // @ts-expect-error
    navigate({ to: '/videos', search: { access: wrong } })
    // @ts-expect-error
    navigate({ to: '/videos', search: { priceMin: wrong } })
    // @ts-expect-error
    navigate({ to: '/videos', search: { priceMax: wrong } })
    // @ts-expect-error
    navigate({ to: '/videos', search: { duration: wrong } })
    // @ts-expect-error
    navigate({ to: '/videos', search: { tag: wrong } })
    // @ts-expect-error
    navigate({ to: '/videos', search: { sort: wrong } })
    // @ts-expect-error
    navigate({ to: '/videos', search: { page: wrong } })
    // @ts-expect-error
    navigate({ to: '/videos', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/videos', search: { notice: wrong } })
  },
  '/products': () => {
    // @ts-expect-error
    navigate({ to: '/products', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/products', search: { category: wrong } })
    // @ts-expect-error
    navigate({ to: '/products', search: { kind: wrong } })
    // @ts-expect-error
    navigate({ to: '/products', search: { access: wrong } })
    // @ts-expect-error
    navigate({ to: '/products', search: { priceMin: wrong } })
    // @ts-expect-error
    navigate({ to: '/products', search: { priceMax: wrong } })
    // @ts-expect-error
    navigate({ to: '/products', search: { duration: wrong } })
    // @ts-expect-error
    navigate({ to: '/products', search: { tag: wrong } })
    // @ts-expect-error
    navigate({ to: '/products', search: { sort: wrong } })
    // @ts-expect-error
    navigate({ to: '/products', search: { page: wrong } })
    // @ts-expect-error
    navigate({ to: '/products', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/products', search: { notice: wrong } })
  },
  '/products/$code': () => {
    // @ts-expect-error
    navigate({ to: '/products/$code', params: { code: 'a' }, search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/products/$code', params: { code: 'a' }, search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/products/$code', params: { code: 'a' }, search: { notice: wrong } })
    // @ts-expect-error
    navigate({ to: '/products/$code' })
    // @ts-expect-error
    navigate({ to: '/products/$code', params: { nonsense: 'a' } })
    // @ts-expect-error
    navigate({ to: '/products/$code', params: { code: wrong } })
  },
  '/products/$code/preview': () => {
    // @ts-expect-error
    navigate({ to: '/products/$code/preview', params: { code: 'a' }, search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/products/$code/preview', params: { code: 'a' }, search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/products/$code/preview', params: { code: 'a' }, search: { notice: wrong } })
    // @ts-expect-error
    navigate({ to: '/products/$code/preview' })
    // @ts-expect-error
    navigate({ to: '/products/$code/preview', params: { nonsense: 'a' } })
    // @ts-expect-error
    navigate({ to: '/products/$code/preview', params: { code: wrong } })
  },
  '/products/$code/watch': () => {
    // @ts-expect-error
    navigate({ to: '/products/$code/watch', params: { code: 'a' }, search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/products/$code/watch', params: { code: 'a' }, search: { lesson: wrong } })
    // @ts-expect-error
    navigate({ to: '/products/$code/watch', params: { code: 'a' }, search: { t: wrong } })
    // @ts-expect-error
    navigate({ to: '/products/$code/watch', params: { code: 'a' }, search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/products/$code/watch', params: { code: 'a' }, search: { notice: wrong } })
    // @ts-expect-error
    navigate({ to: '/products/$code/watch' })
    // @ts-expect-error
    navigate({ to: '/products/$code/watch', params: { nonsense: 'a' } })
    // @ts-expect-error
    navigate({ to: '/products/$code/watch', params: { code: wrong } })
  },
  '/carts': () => {
    // @ts-expect-error
    navigate({ to: '/carts', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/carts', search: { problem: wrong } })
    // @ts-expect-error
    navigate({ to: '/carts', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/carts', search: { notice: wrong } })
  },
  '/payments': () => {
    // @ts-expect-error
    navigate({ to: '/payments', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/payments', search: { product: wrong } })
    // @ts-expect-error
    navigate({ to: '/payments', search: { option: wrong } })
    // @ts-expect-error
    navigate({ to: '/payments', search: { problem: wrong } })
    // @ts-expect-error
    navigate({ to: '/payments', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/payments', search: { notice: wrong } })
  },
  '/payments/result': () => {
    // @ts-expect-error
    navigate({ to: '/payments/result', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/payments/result', search: { order: wrong } })
    // @ts-expect-error
    navigate({ to: '/payments/result', search: { payment: wrong } })
    // @ts-expect-error
    navigate({ to: '/payments/result', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/payments/result', search: { notice: wrong } })
  },
  '/plans': () => {
    // @ts-expect-error
    navigate({ to: '/plans', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/plans', search: { cycle: wrong } })
    // @ts-expect-error
    navigate({ to: '/plans', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/plans', search: { notice: wrong } })
  },
  '/plans/plan-products': () => {
    // @ts-expect-error
    navigate({ to: '/plans/plan-products', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/plans/plan-products', search: { plan: wrong } })
    // @ts-expect-error
    navigate({ to: '/plans/plan-products', search: { page: wrong } })
    // @ts-expect-error
    navigate({ to: '/plans/plan-products', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/plans/plan-products', search: { notice: wrong } })
  },
  '/plans/$id/products': () => {
    // @ts-expect-error
    navigate({ to: '/plans/$id/products', params: { id: 'a' }, search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/plans/$id/products', params: { id: 'a' }, search: { page: wrong } })
    // @ts-expect-error
    navigate({ to: '/plans/$id/products', params: { id: 'a' }, search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/plans/$id/products', params: { id: 'a' }, search: { notice: wrong } })
    // @ts-expect-error
    navigate({ to: '/plans/$id/products' })
    // @ts-expect-error
    navigate({ to: '/plans/$id/products', params: { nonsense: 'a' } })
    // @ts-expect-error
    navigate({ to: '/plans/$id/products', params: { id: wrong } })
  },
  '/plans/payment': () => {
    // @ts-expect-error
    navigate({ to: '/plans/payment', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/plans/payment', search: { plan: wrong } })
    // @ts-expect-error
    navigate({ to: '/plans/payment', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/plans/payment', search: { notice: wrong } })
  },
  '/plans/$id/payment': () => {
    // @ts-expect-error
    navigate({ to: '/plans/$id/payment', params: { id: 'a' }, search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/plans/$id/payment', params: { id: 'a' }, search: { problem: wrong } })
    // @ts-expect-error
    navigate({ to: '/plans/$id/payment', params: { id: 'a' }, search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/plans/$id/payment', params: { id: 'a' }, search: { notice: wrong } })
    // @ts-expect-error
    navigate({ to: '/plans/$id/payment' })
    // @ts-expect-error
    navigate({ to: '/plans/$id/payment', params: { nonsense: 'a' } })
    // @ts-expect-error
    navigate({ to: '/plans/$id/payment', params: { id: wrong } })
  },
  '/plans/payment-result': () => {
    // @ts-expect-error
    navigate({ to: '/plans/payment-result', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/plans/payment-result', search: { subscription: wrong } })
    // @ts-expect-error
    navigate({ to: '/plans/payment-result', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/plans/payment-result', search: { notice: wrong } })
  },
  '/plans/$id/payment-result': () => {
    // @ts-expect-error
    navigate({ to: '/plans/$id/payment-result', params: { id: 'a' }, search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/plans/$id/payment-result', params: { id: 'a' }, search: { subscription: wrong } })
    // @ts-expect-error
    navigate({ to: '/plans/$id/payment-result', params: { id: 'a' }, search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/plans/$id/payment-result', params: { id: 'a' }, search: { notice: wrong } })
    // @ts-expect-error
    navigate({ to: '/plans/$id/payment-result' })
    // @ts-expect-error
    navigate({ to: '/plans/$id/payment-result', params: { nonsense: 'a' } })
    // @ts-expect-error
    navigate({ to: '/plans/$id/payment-result', params: { id: wrong } })
  },
  '/plans/subscription-products': () => {
    // @ts-expect-error
    navigate({ to: '/plans/subscription-products', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/plans/subscription-products', search: { sort: wrong } })
    // @ts-expect-error
    navigate({ to: '/plans/subscription-products', search: { page: wrong } })
    // @ts-expect-error
    navigate({ to: '/plans/subscription-products', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/plans/subscription-products', search: { notice: wrong } })
  },
  '/subscription-products': () => {
    // @ts-expect-error
    navigate({ to: '/subscription-products', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/subscription-products', search: { sort: wrong } })
    // @ts-expect-error
    navigate({ to: '/subscription-products', search: { page: wrong } })
    // @ts-expect-error
    navigate({ to: '/subscription-products', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/subscription-products', search: { notice: wrong } })
  },
  '/mypages': () => {
    // @ts-expect-error
    navigate({ to: '/mypages', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/mypages', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages', search: { notice: wrong } })
  },
  '/mypages/cards': () => {
    // @ts-expect-error
    navigate({ to: '/mypages/cards', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/mypages/cards', search: { card: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/cards', search: { remove: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/cards', search: { problem: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/cards', search: { done: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/cards', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/cards', search: { notice: wrong } })
  },
  '/mypages/subscription': () => {
    // @ts-expect-error
    navigate({ to: '/mypages/subscription', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/mypages/subscription', search: { step: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/subscription', search: { plan: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/subscription', search: { problem: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/subscription', search: { done: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/subscription', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/subscription', search: { notice: wrong } })
  },
  '/mypages/subscription/histories': () => {
    // @ts-expect-error
    navigate({ to: '/mypages/subscription/histories', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/mypages/subscription/histories', search: { page: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/subscription/histories', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/subscription/histories', search: { notice: wrong } })
  },
  '/mypages/profile': () => {
    // @ts-expect-error
    navigate({ to: '/mypages/profile', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/mypages/profile', search: { saved: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/profile', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/profile', search: { notice: wrong } })
  },
  '/mypages/paid-products': () => {
    // @ts-expect-error
    navigate({ to: '/mypages/paid-products', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/mypages/paid-products', search: { sort: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/paid-products', search: { page: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/paid-products', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/paid-products', search: { notice: wrong } })
  },
  '/mypages/liked-products': () => {
    // @ts-expect-error
    navigate({ to: '/mypages/liked-products', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/mypages/liked-products', search: { page: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/liked-products', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/liked-products', search: { notice: wrong } })
  },
  '/mypages/inquiries': () => {
    // @ts-expect-error
    navigate({ to: '/mypages/inquiries', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/mypages/inquiries', search: { status: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/inquiries', search: { page: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/inquiries', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/inquiries', search: { notice: wrong } })
  },
  '/mypages/inquiries/input': () => {
    // @ts-expect-error
    navigate({ to: '/mypages/inquiries/input', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/mypages/inquiries/input', search: { type: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/inquiries/input', search: { product: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/inquiries/input', search: { lesson: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/inquiries/input', search: { order: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/inquiries/input', search: { t: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/inquiries/input', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/inquiries/input', search: { notice: wrong } })
  },
  '/mypages/inquiries/$code': () => {
    // @ts-expect-error
    navigate({ to: '/mypages/inquiries/$code', params: { code: 'a' }, search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/mypages/inquiries/$code', params: { code: 'a' }, search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/inquiries/$code', params: { code: 'a' }, search: { notice: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/inquiries/$code' })
    // @ts-expect-error
    navigate({ to: '/mypages/inquiries/$code', params: { nonsense: 'a' } })
    // @ts-expect-error
    navigate({ to: '/mypages/inquiries/$code', params: { code: wrong } })
  },
  '/mypages/order-histories': () => {
    // @ts-expect-error
    navigate({ to: '/mypages/order-histories', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/mypages/order-histories', search: { status: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/order-histories', search: { from: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/order-histories', search: { to: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/order-histories', search: { page: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/order-histories', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/order-histories', search: { notice: wrong } })
  },
  '/mypages/order-histories/$code': () => {
    // @ts-expect-error
    navigate({ to: '/mypages/order-histories/$code', params: { code: 'a' }, search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/mypages/order-histories/$code', params: { code: 'a' }, search: { ask: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/order-histories/$code', params: { code: 'a' }, search: { problem: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/order-histories/$code', params: { code: 'a' }, search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/order-histories/$code', params: { code: 'a' }, search: { notice: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/order-histories/$code' })
    // @ts-expect-error
    navigate({ to: '/mypages/order-histories/$code', params: { nonsense: 'a' } })
    // @ts-expect-error
    navigate({ to: '/mypages/order-histories/$code', params: { code: wrong } })
  },
  '/mypages/order-histories/$code/receipt': () => {
    // @ts-expect-error
    navigate({ to: '/mypages/order-histories/$code/receipt', params: { code: 'a' }, search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/mypages/order-histories/$code/receipt', params: { code: 'a' }, search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/order-histories/$code/receipt', params: { code: 'a' }, search: { notice: wrong } })
    // @ts-expect-error
    navigate({ to: '/mypages/order-histories/$code/receipt' })
    // @ts-expect-error
    navigate({ to: '/mypages/order-histories/$code/receipt', params: { nonsense: 'a' } })
    // @ts-expect-error
    navigate({ to: '/mypages/order-histories/$code/receipt', params: { code: wrong } })
  },
  '/customer/coming-soon': () => {
    // @ts-expect-error
    navigate({ to: '/customer/coming-soon', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/customer/coming-soon', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/customer/coming-soon', search: { notice: wrong } })
  },
  '/customer/site-disabled': () => {
    // @ts-expect-error
    navigate({ to: '/customer/site-disabled', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/customer/site-disabled', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/customer/site-disabled', search: { notice: wrong } })
  },
  '/customer/contract-expired': () => {
    // @ts-expect-error
    navigate({ to: '/customer/contract-expired', search: { nonsense: 1 } })
    // @ts-expect-error
    navigate({ to: '/customer/contract-expired', search: { q: wrong } })
    // @ts-expect-error
    navigate({ to: '/customer/contract-expired', search: { notice: wrong } })
  },
} satisfies Record<Page, () => void>

export const wrongPaths = () => {
  // @ts-expect-error
  navigate({ to: '/nonsense' })
  // @ts-expect-error
  navigate({ to: '/mypages/nonsense' })
  // @ts-expect-error
  navigate({ to: '/products/$id', params: { id: 'a' } })
  // @ts-expect-error
  redirect({ to: '/nonsense' })
  // @ts-expect-error
  redirect({ to: '/faq', search: { page: 'two' } })
  // @ts-expect-error
  away('/nonsense', 'PLAN_NEEDED')
  // @ts-expect-error
  away('/plans', 'NONSENSE')
}

/** Links that must compile, so that the ones above fail for what is wrong with them. */
export const rightLinks = () => {
  navigate({ to: '/products', search: { page: 2, kind: ['VOD'], sort: 'duration,ASC' } })
  navigate({ to: '/products/$code', params: { code: 'a' } })
  navigate({ to: '/mypages/order-histories', search: { page: 2, from: '2026-01-01' } })
  navigate({ to: '/pages/$type', params: { type: 'terms' } })
  navigate({ to: '/login', search: { redirect: '/carts' } })
  redirect({ to: '/faq', search: { q: 'refund' } })
  away('/plans', 'PLAN_NEEDED')
}
