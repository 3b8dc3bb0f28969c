import type { DemoPage } from '../model/types.ts'

/** The four pages every store has, in a few lines, for a small house. */
export const smallPages = (house: string, mail: string, about: string): readonly DemoPage[] => [
  {
    type: 'about',
    title: `About ${house}`,
    body: `${about}\n\nThis is a demonstration store: the house, its people and its films were made up for it.`,
  },
  {
    type: 'terms',
    title: 'Terms of use',
    body: `These terms apply between you and ${house}.

## What you get

Access to our films on up to five devices, for yourself, for as long as your membership or purchase lasts.

## What we ask

Do not copy or publish the films, and be kind in the comments.

## If something goes wrong

Write to ${mail}. If a film does not play on a common, current device, we repair it or return your money. The consumer law of the country you live in protects you as well.`,
  },
  {
    type: 'privacy',
    title: 'Privacy',
    body: `We keep your name, your e-mail address, what you watch and where you stopped, so that the house works for you. We sell nothing of it.

You may see, correct, take with you and delete your data in *Your account*, or write to ${mail}. Records of payment are kept for as long as tax law asks.`,
  },
  {
    type: 'refund',
    title: 'Refunds',
    body: `Within seven days and before the first play you get everything back. Afterwards, write to us: a film that does not work is always refunded.`,
  },
]
