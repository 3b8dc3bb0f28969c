import { own } from '../model/options.ts'
import type { DemoProduct, DemoTenant } from '../model/types.ts'
import { film } from './film.ts'
import { smallPages } from './pages.ts'
import { smallSettings } from './settings.ts'

const archive = (
  code: string,
  title: string,
  art: DemoProduct['art'],
  video: NonNullable<DemoProduct['video']>,
): DemoProduct =>
  film({
    code,
    access: 'PURCHASE',
    title,
    summary: 'From the archive.',
    story: 'One of the last films of this house.',
    categories: ['archive'],
    art,
    tags: ['archive'],
    video,
    options: [own('Own it', 300)],
    age: 400,
    charm: 40,
  })

/** A store whose operator has switched it off for a while. */
export const paused: DemoTenant = {
  code: 'paused',
  useCustomer: true,
  useSite: false,
  domains: ['paused.localhost'],
  settings: smallSettings('paused', {
    base: { name: 'Intermission', displayType: 'LOGO_TEXT', timeZone: 'Europe/Berlin', currency: 'EUR' },
    theme: { accent: '#2a8c82', surface: 'light', font: 'sans' },
    seo: { title: 'Intermission', description: 'We are rebuilding the house and will be back soon.', use: false },
    business: {
      company: 'Intermission GmbH (demonstration)',
      representative: 'Karla Voss',
      email: 'hallo@paused.example',
      address: 'Beispielstraße 24, 10000 Berlin',
      phone: '+49 30 0000000',
      registrationNumber: 'HRB 00000',
    },
  }),
  brand: { mark: 'pause', word: 'Intermission', colour: '#2a8c82' },
  categories: [{ slug: 'archive', name: 'Archive' }],
  products: [
    archive(
      'second-act',
      'Second Act',
      { scene: 'cinema', palette: 'tidepool', seed: 81, titleStyle: 'roman' },
      'skyline',
    ),
    archive(
      'back-in-five',
      'Back in Five',
      { scene: 'window', palette: 'tidepool', seed: 82, titleStyle: 'spartan' },
      'ridgeline',
    ),
  ],
  plans: [],
  banners: [],
  notices: [
    { title: 'We are rebuilding the house', age: 3, body: 'The curtain goes up again soon. What you own stays yours.' },
  ],
  faq: [],
  pages: smallPages('Intermission', 'hallo@paused.example', 'A small house between two acts.'),
  members: [],
  comments: [],
  history: { orders: [[{ product: 'second-act', option: 'OWN' }]], liked: [], viewed: [], watching: [] },
}

/** A store whose contract with the platform has ended. */
export const lapsed: DemoTenant = {
  code: 'lapsed',
  useCustomer: false,
  useSite: true,
  domains: ['lapsed.localhost'],
  settings: smallSettings('lapsed', {
    base: { name: 'Old Diamond Pictures', displayType: 'TEXT', timeZone: 'Europe/London', currency: 'GBP' },
    theme: { accent: '#8d3b4a', surface: 'light', font: 'serif' },
    seo: { title: 'Old Diamond Pictures', description: 'This store has closed.', use: false },
    business: {
      company: 'Old Diamond Pictures Ltd (demonstration)',
      representative: 'Graham Pell',
      email: 'office@lapsed.example',
      address: '24 Example Lane, London',
      phone: '+44 20 0000 0000',
      registrationNumber: '00000000',
    },
  }),
  brand: { mark: 'diamond', word: 'Old Diamond', colour: '#8d3b4a' },
  categories: [{ slug: 'archive', name: 'Archive' }],
  products: [
    archive('last-reel', 'Last Reel', { scene: 'road', palette: 'clay', seed: 83, titleStyle: 'garamond' }, 'lanterns'),
  ],
  plans: [],
  banners: [],
  notices: [],
  faq: [],
  pages: smallPages('Old Diamond Pictures', 'office@lapsed.example', 'A house of the old school.'),
  members: [],
  comments: [],
  history: { orders: [[{ product: 'last-reel', option: 'OWN' }]], liked: [], viewed: [], watching: [] },
}
