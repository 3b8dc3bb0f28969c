import type { DemoTenant } from '../model/types.ts'
import { HANGANG_ENGLISH } from './bodies-en.ts'
import { HANGANG_BANNERS, HANGANG_CATEGORIES } from './categories.ts'
import { CREATIVE_COURSES } from './creative-courses.ts'
import { LIVING_COURSES } from './living-courses.ts'
import { HANGANG_FAQ, HANGANG_NOTICES, HANGANG_PAGES } from './notices.ts'
import { HANGANG_COMMENTS, HANGANG_HISTORY, HANGANG_MEMBERS } from './people.ts'
import { HANGANG_PHRASES } from './phrases.ts'
import { HANGANG_WORK_PHRASES } from './phrases-works.ts'
import { HANGANG_PLANS, withPlan } from './plans.ts'
import { HANGANG_SETTINGS } from './settings.ts'
import { THINKING_COURSES } from './thinking-courses.ts'
import { WEEKEND_COURSES } from './weekend-courses.ts'

/** A school of very short courses: Korean first, won, light and clean. */
export const hangang: DemoTenant = {
  code: 'hangang',
  useCustomer: true,
  useSite: true,
  domains: ['hangang.localhost'],
  settings: HANGANG_SETTINGS,
  phrases: new Map([...HANGANG_PHRASES, ...HANGANG_WORK_PHRASES]),
  bodies: { en: HANGANG_ENGLISH },
  brand: { mark: 'river', word: '한강 아카데미', colour: '#1f6f5c' },
  categories: HANGANG_CATEGORIES,
  products: [...CREATIVE_COURSES, ...THINKING_COURSES, ...LIVING_COURSES, ...WEEKEND_COURSES].map(withPlan),
  plans: HANGANG_PLANS,
  banners: HANGANG_BANNERS,
  notices: HANGANG_NOTICES,
  faq: HANGANG_FAQ,
  pages: HANGANG_PAGES,
  members: HANGANG_MEMBERS,
  comments: HANGANG_COMMENTS,
  history: HANGANG_HISTORY,
}
