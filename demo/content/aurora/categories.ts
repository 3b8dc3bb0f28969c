import type { DemoBanner, DemoCategory } from '../model/types.ts'

export const AURORA_CATEGORIES: readonly DemoCategory[] = [
  {
    slug: 'films',
    name: 'Films',
    children: [
      {
        slug: 'collections',
        name: 'Collections',
        children: [
          { slug: 'award-winners', name: 'Award Winners' },
          { slug: 'free-to-watch', name: 'Free to Watch' },
        ],
      },
      {
        slug: 'landscape',
        name: 'Landscape',
        children: [
          { slug: 'mountains', name: 'Mountains & Ridges' },
          { slug: 'sea', name: 'Sea & Tide' },
          { slug: 'roads', name: 'Roads & Rails' },
        ],
      },
      {
        slug: 'city',
        name: 'City',
        children: [
          { slug: 'skylines', name: 'Skylines' },
          { slug: 'night', name: 'Night Pieces' },
        ],
      },
      {
        slug: 'light',
        name: 'Light',
        children: [
          { slug: 'lanterns', name: 'Lanterns & Festivals' },
          { slug: 'space', name: 'Space & Orbits' },
        ],
      },
      {
        slug: 'abstract',
        name: 'Abstract & Craft',
        children: [
          { slug: 'geometry', name: 'Geometry' },
          { slug: 'paper-and-colour', name: 'Paper & Colour' },
          { slug: 'ink', name: 'Ink' },
          { slug: 'numbers', name: 'Numbers & Code' },
        ],
      },
    ],
  },
  {
    slug: 'series',
    name: 'Series',
    children: [
      {
        slug: 'fiction',
        name: 'Fiction',
        children: [
          { slug: 'journeys', name: 'Journeys' },
          { slug: 'portraits', name: 'Portraits' },
        ],
      },
      { slug: 'workshop', name: 'Workshop', children: [{ slug: 'process', name: 'How It Is Made' }] },
    ],
  },
  {
    slug: 'ambient',
    name: 'Ambient',
    children: [
      {
        slug: 'loops',
        name: 'Loops',
        children: [
          { slug: 'focus', name: 'For Focus' },
          { slug: 'sleep', name: 'For Sleep' },
        ],
      },
    ],
  },
  {
    slug: 'shop',
    name: 'Shop',
    children: [
      {
        slug: 'paper',
        name: 'Print & Paper',
        children: [
          { slug: 'books', name: 'Books & Workbooks' },
          { slug: 'prints', name: 'Free Prints' },
        ],
      },
      { slug: 'sound', name: 'Sound', children: [{ slug: 'scores', name: 'Scores' }] },
    ],
  },
]

export const AURORA_BANNERS: readonly DemoBanner[] = [
  {
    type: 'HEADER_BANNER',
    title: 'Festival week.',
    text: 'All award winners of the year on one shelf, from $1.29.',
    label: 'See the winners',
    link: { category: 'award-winners' },
  },
  {
    type: 'MAIN_SLIDER_BANNER',
    title: 'The Last Light',
    text: 'Evening climbs out of a valley, one ridge at a time. The new film by Miren Oyarzun.',
    label: 'Watch the preview',
    art: { scene: 'ridges', palette: 'ember', seed: 104 },
    tone: 'LIGHT',
    link: { product: 'the-last-light' },
  },
  {
    type: 'MAIN_SLIDER_BANNER',
    title: 'It took eleven years to get here',
    text: 'Eleven Years to Saturn: four deep chords, three moons, one word home.',
    label: 'Go there',
    art: { scene: 'orbit', palette: 'sahara', seed: 111 },
    tone: 'LIGHT',
    link: { product: 'eleven-years-to-saturn' },
  },
  {
    type: 'MAIN_SLIDER_BANNER',
    title: 'Slow Seasons',
    text: 'A year in four evenings. The first episode is free for everyone.',
    label: 'Begin with autumn',
    art: { scene: 'waves', palette: 'fjord', seed: 118 },
    tone: 'LIGHT',
    link: { product: 'slow-seasons' },
  },
  {
    type: 'MAIN_SLIDER_BANNER',
    title: 'Cities, as they switch themselves on',
    text: 'Seven films from the hour when windows become stars.',
    label: 'Open the shelf',
    art: { scene: 'skyline', palette: 'neon', seed: 125 },
    tone: 'LIGHT',
    link: { category: 'city' },
  },
  {
    type: 'GRID',
    title: 'For Focus',
    text: 'Loops that do your fidgeting for you.',
    label: 'Browse',
    art: { scene: 'window', palette: 'tidepool', seed: 131 },
    tone: 'LIGHT',
    link: { category: 'focus' },
  },
  {
    type: 'GRID',
    title: 'For Sleep',
    text: 'Ten waves a minute.',
    label: 'Browse',
    art: { scene: 'lighthouse', palette: 'midnight', seed: 132 },
    tone: 'LIGHT',
    link: { category: 'sleep' },
  },
  {
    type: 'GRID',
    title: 'Geometry',
    text: 'Squares that dance.',
    label: 'Browse',
    art: { scene: 'tiles', palette: 'neon', seed: 133 },
    tone: 'LIGHT',
    link: { category: 'geometry' },
  },
  {
    type: 'GRID',
    title: 'Free to watch',
    text: 'No account, no card.',
    label: 'Browse',
    art: { scene: 'contours', palette: 'forest', seed: 134 },
    tone: 'LIGHT',
    link: { category: 'free-to-watch' },
  },
  {
    type: 'BANNER',
    title: 'Aurora Pass: everything, for less than a cup of coffee',
    text: 'All films and series on the plan, new ones every other Friday. The first two weeks are free.',
    label: 'See the pass',
    art: { scene: 'skyline', palette: 'plum', seed: 140 },
    tone: 'LIGHT',
    link: { plan: 'aurora-pass' },
  },
  {
    type: 'CUSTOM',
    title: 'Why under a minute?',
    text: '',
    prose: `## Why under a minute?

Because a minute is long. It is forty breaths of a hummingbird, one verse of a good song, the time between seeing the kettle and hearing it. Our directors have **twenty-four seconds** each, and no one has ever asked for more.

Every running time in this store is the true one. [Read who we are](/pages/about).`,
  },
]
