import type { DemoTenant } from '../model/types.ts'
import { ABSTRACT_AND_AMBIENT } from './abstract-and-ambient.ts'
import { AURORA_JAPANESE } from './bodies-ja.ts'
import { AURORA_KOREAN } from './bodies-ko.ts'
import { AURORA_BANNERS, AURORA_CATEGORIES } from './categories.ts'
import { CITY_AND_LIGHT_FILMS } from './city-and-light-films.ts'
import { LANDSCAPE_FILMS } from './landscape-films.ts'
import { AURORA_FAQ, AURORA_NOTICES, AURORA_PAGES } from './notices.ts'
import { AURORA_COMMENTS, AURORA_HISTORY, AURORA_MEMBERS } from './people.ts'
import { AURORA_PHRASES } from './phrases.ts'
import { AURORA_WORK_PHRASES } from './phrases-works.ts'
import { AURORA_PLANS } from './plans.ts'
import { SERIES_AND_SHOP } from './series-and-shop.ts'
import { AURORA_SETTINGS } from './settings.ts'

/** A house for very short films: English first, dollars, a dark cinema. */
export const aurora: DemoTenant = {
  code: 'aurora',
  useCustomer: true,
  useSite: true,
  domains: ['aurora.localhost'],
  settings: AURORA_SETTINGS,
  phrases: new Map([...AURORA_PHRASES, ...AURORA_WORK_PHRASES]),
  bodies: { ko: AURORA_KOREAN, ja: AURORA_JAPANESE },
  brand: { mark: 'arc', word: 'Aurora', colour: '#ff9b5e' },
  categories: AURORA_CATEGORIES,
  products: [...LANDSCAPE_FILMS, ...CITY_AND_LIGHT_FILMS, ...ABSTRACT_AND_AMBIENT, ...SERIES_AND_SHOP],
  plans: AURORA_PLANS,
  banners: AURORA_BANNERS,
  notices: AURORA_NOTICES,
  faq: AURORA_FAQ,
  pages: AURORA_PAGES,
  members: AURORA_MEMBERS,
  comments: AURORA_COMMENTS,
  history: AURORA_HISTORY,
}
