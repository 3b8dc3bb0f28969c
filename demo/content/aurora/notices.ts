import type { DemoFaq, DemoNotice, DemoPage } from '../model/types.ts'

export const AURORA_NOTICES: readonly DemoNotice[] = [
  {
    title: 'Festival week: our award winners on one shelf',
    pinned: true,
    age: 1,
    body: `From Friday to Friday every film that brought a prize home this year stands on one shelf: *The Last Light*, *A Boat Under the Moon*, *Blue Hour*, *Festival of Small Fires* and *Eleven Years to Saturn*.

- Rentals from $1.29
- Director's notes with three of the films
- A programme to print, if you would like to make an evening of it

The programme is attached. Bring your own chairs.`,
    attachments: [{ file: 'programme-note', name: 'Festival week – programme.pdf' }],
  },
  {
    title: 'How refunds work with us, in four sentences',
    pinned: true,
    age: 24,
    body: `Changed your mind? Within seven days you get the whole amount back, as long as you have not begun to play or download. In a series, the episodes you have not opened stay refundable. Previews do not count. The full text is on our [refund page](/pages/refund).`,
  },
  {
    title: 'New: Letters to a Lighthouse',
    age: 3,
    body: `A boy writes, a lighthouse answers. Ida Nygård's first series for us is here, in four letters, and the first one is free for everybody.

We asked her whether the lighthouse is a metaphor. “It is a lighthouse,” she said.`,
  },
  {
    title: 'Leaving soon: Arrived. and One Minute Museum',
    age: 6,
    body: `Two works go off sale this month because their licences come to an end. Whoever owns them keeps them, of course; a rental that has begun runs its full time.`,
  },
  {
    title: 'Captions in two languages on every film',
    age: 19,
    body: `All films now carry captions in English and Korean, sounds included. Press **C** in the player, or choose the language from the menu; we remember it for the next film.

If a caption is wrong, late or in the way, tell us. People read them more closely than you think, and so do we.`,
  },
  {
    title: 'Maintenance on Tuesday, 3:00–3:20 (Lisbon)',
    age: 34,
    body: `We are moving to larger machines on Tuesday morning. For up to twenty minutes films may start slowly; purchases and rentals are not affected, and no rental time is lost.`,
  },
  {
    title: 'Twenty Palettes: our poster colours are yours',
    age: 41,
    body: `You kept asking which orange that was. [Twenty Palettes](/products/twenty-palettes) has all of them, for drawing programs and for the web, for any use you like.`,
  },
  {
    title: 'Silver Minute for Jun Okabe',
    age: 58,
    body: `*A Boat Under the Moon* won the Silver Minute at Tallinn. The jury called it “the slowest twenty-four seconds of the year, and none too long.”

Congratulations, Jun. There is cake in the kitchen.`,
  },
  {
    title: 'Our terms: more devices at once',
    age: 96,
    body: `We have rewritten the paragraph on devices: you may be signed in on five at once (three before) and watch on two at the same time. Nothing else has changed. The [terms](/pages/terms) show the new wording.`,
  },
  {
    title: 'We read every inquiry',
    age: 140,
    body: `There are four of us on the desk and we answer within one working day, in English, Portuguese and Korean. A time code helps if something is wrong with a film.`,
  },
]

export const AURORA_FAQ: readonly DemoFaq[] = [
  {
    group: 'Watching',
    question: 'Are the films really that short?',
    answer: `Yes. Every film runs for under a minute, and the length shown is the real one. Series are made of several such films. Most people watch each more than once.`,
  },
  {
    group: 'Watching',
    question: 'Which devices can I watch on?',
    answer: `Any phone, tablet or computer with a browser from the last few years. You may be signed in on five devices and watch on two at the same time.`,
  },
  {
    group: 'Watching',
    question: 'How do I switch on captions?',
    answer: `Press **C**, or open the captions menu in the player. All films have English and Korean captions that include the sounds. Your choice is remembered.`,
  },
  {
    group: 'Watching',
    question: 'What are the keyboard shortcuts?',
    answer: `Space or **K** plays and pauses, **J** and **L** jump, **F** is full screen, **M** mutes, **0–9** go to a tenth of the film. Press **?** in the player to see them all.`,
  },
  {
    group: 'Watching',
    question: 'Can I watch without an account?',
    answer: `Films marked *Free* play for everyone. Every other film has a preview of eight seconds. Some films and prints are free for members, and joining costs nothing.`,
  },
  {
    group: 'Buying',
    question: 'What is the difference between renting and owning?',
    answer: `A rental lasts for the days shown, counted from the first time you press play, and you have thirty days to begin. What you own stays in your library for as long as your account exists.`,
  },
  {
    group: 'Buying',
    question: 'Which means of payment do you take?',
    answer: `Credit and debit cards, and bank transfer. With a transfer you have seven days to pay the exact amount; the film opens as soon as the money has arrived.`,
  },
  {
    group: 'Buying',
    question: 'Can I give a film as a present?',
    answer: `Not yet in the store, but write to us with the film and the address of the person, and we will arrange it by hand, with a card if you like.`,
  },
  {
    group: 'Buying',
    question: 'Do prices include tax?',
    answer: `Yes. The price you see is the price you pay. Your receipt shows the tax that is contained in it.`,
  },
  {
    group: 'Refunds',
    question: 'How do I get a refund?',
    answer: `Open the order under *Your account › Orders* and choose *Cancel or refund*. Within seven days and before the first play the whole amount goes back to your card, normally within three working days.`,
  },
  {
    group: 'Refunds',
    question: 'I have watched one episode. Can I return the rest?',
    answer: `Yes. The part that has been opened is kept; the share of the others is paid back. The amount is shown before you confirm.`,
  },
  {
    group: 'Refunds',
    question: 'The film does not play. What now?',
    answer: `Use *Report a problem* in the player: it tells us the film, the second and the device. If we cannot make it play for you, you get your money back, played or not.`,
  },
  {
    group: 'Account',
    question: 'I forgot my password.',
    answer: `On the sign-in page choose *Forgot your password?*. We send a link that works once and for ten minutes.`,
  },
  {
    group: 'Account',
    question: 'How do I change the language?',
    answer: `With the language menu at the top or bottom of each page. The store speaks English, Korean, Japanese and Arabic. Films are described in English, Korean and Japanese.`,
  },
  {
    group: 'Account',
    question: 'How do I delete my account?',
    answer: `Under *Your account › Profile*. We delete your personal data at once and keep only what tax law asks us to keep about payments.`,
  },
  {
    group: 'Files',
    question: 'What may I do with PDFs and other files?',
    answer: `Print them, use them, scribble on them. *Personal use* means that you do not publish or sell them; *any use* means what it says. Each product page shows which one applies.`,
  },
]

export const AURORA_PAGES: readonly DemoPage[] = [
  {
    type: 'about',
    title: 'About Aurora',
    body: `Aurora is a house for very short films. We were founded in 2019 by three animators who kept finishing their best work in the gaps between other work, and who noticed that what fits into a gap is often the best thing of the day.

## What we show

Every film here lasts less than a minute. Some tell a story, some count birds, some only let a lantern rise. We commission about forty a year from people in twenty countries, and we pay them half of every sale.

## What we believe

- **True lengths.** The running time on the page is the running time of the film.
- **No autoplay.** A film begins when you ask it to.
- **Captions are part of the film.** They are written by the director, in at least two languages.
- **Owning means owning.** What you bought stays yours when it goes off sale.

## Find us

Aurora Miniatures, Lda., Rua do Exemplo 24, Lisbon. The projection room is on the second floor; the kettle is on the first. (This is a demonstration store: company, people and films were made up for it.)`,
  },
  {
    type: 'terms',
    title: 'Terms of use',
    body: `These terms apply between you and Aurora Miniatures, Lda. (“Aurora”, “we”) when you use this store. They are effective from 1 March 2026.

## 1. Your account

You may watch free films without an account. To buy, rent or comment you need one, and you must be at least fourteen years old. Keep your password to yourself; you may be signed in on five devices and watch on two at the same time.

## 2. What you buy

1. **Owning** a film or file gives you the personal, non-transferable right to watch or use it for as long as your account exists.
2. **Renting** gives you the same right for the number of days shown, from the first play. A rental has to be begun within thirty days.
3. A contract comes about when we confirm your payment. The price shown at that moment applies.

## 3. What you may not do

You may not copy, publish, resell or publicly perform our films unless the product says so, and you may not circumvent the protection of the streams. Films marked *free, for ever* may be shown anywhere, with their credits.

## 4. Comments

Comments are yours and so is the responsibility for them. We hide comments that insult, advertise or tell the end of a film without warning. Comments with links are shown after we have looked at them.

## 5. Changes and faults

If a film cannot be played on a common, current device, we repair it or return your money. If we change these terms to your disadvantage, we tell you thirty days before, and you may leave.

## 6. Law

Portuguese law applies; the consumer law of the country you live in protects you as well. For disputes you may turn to the consumer arbitration centre in Lisbon.`,
  },
  {
    type: 'privacy',
    title: 'Privacy',
    body: `We collect what we need to run the store, and nothing to sell.

## What we keep

- **Account:** name, e-mail address, and telephone number if you give it. Passwords are kept only as a hash that cannot be turned back.
- **Orders:** what you bought, when and for how much. Card numbers never reach us; our payment provider keeps them.
- **Watching:** where you stopped, so that you can go on, and how often a film is played, without your name.
- **Technical:** the address of your device and the kind of browser, for thirty days, to fend off abuse.

## How long

Account data until you leave; records of payment for the ten years that Portuguese tax law asks for; everything else for as long as the purpose lasts.

## Your rights

You may see, correct, take with you and delete your data. Most of it you can do yourself under *Your account › Profile*; for the rest write to privacy@aurora.example. You may also complain to the Comissão Nacional de Proteção de Dados.

## Cookies

We set three: one that keeps you signed in, one for the language, one for the cart. None follows you anywhere.`,
  },
  {
    type: 'refund',
    title: 'Refunds',
    body: `You have **seven days** to change your mind, without giving a reason.

## Films

As long as you have not pressed play, you get the full price back. Previews do not count. Before the first play of something you can still return, we tell you that playing ends this right.

## Series

Each episode is counted by itself. If you have opened two of five, three fifths of the price go back.

## Files

As long as you have not downloaded a file, you get the full price back.

## Rentals

A rental that was not begun can be returned within seven days. One that was begun runs to its end.

## How it is paid

To the card you paid with, normally within three working days. If you paid by bank transfer, we ask you for an account. You see every step, with its amount, on the order's page.

If a film does not work, none of these limits apply: write to us, and we will make it right.`,
  },
]
