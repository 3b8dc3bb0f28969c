import { Plural, Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ProductDetail } from '#contract/product-page.ts'
import { useLessonLabels } from '~/parts/use-lesson-labels'
import { SharedElement } from '~/platform/document/html-parts'
import { useFormat } from '~/platform/format/use-format'
import { langOf } from '~/platform/i18n/locales'
import { storeTextList } from '~/platform/i18n/store-text'
import { useSiteSettings } from '~/platform/shell/shell.functions'
import { Badge } from '~/ui/chip'
import { Icon } from '~/ui/icon'
import styles from './title-block.module.css'

/** All that the block shows of a product. */
const shownOf = ({ title, summary, languages, tags, tagLabels, ...facts }: ProductDetail) => [
  title,
  summary,
  languages,
  tags,
  tagLabels,
  facts.durationSeconds,
  facts.lessonCount,
  facts.ageRating,
  facts.captions,
  facts.countOfPlays,
]

export function TitleBlock({ product }: { product: ProductDetail }) {
  const { title, summary, tags, tagLabels } = product
  // A tag without a label in the page's language is in the store's own.
  const settings = useSiteSettings()
  const { base } = settings
  const { i18n } = useLingui()
  const textLang = base.locale === i18n.locale ? undefined : base.locale
  return (
    <SharedElement as="header" className={styles.block} shown={['title', ...shownOf(product), settings]}>
      <h1 className={styles.title}>
        <bdi lang={langOf(product, 'title')}>{title}</bdi>
      </h1>
      {summary && (
        <p className={styles.summary}>
          <bdi lang={langOf(product, 'summary')}>{summary}</bdi>
        </p>
      )}
      <Facts product={product} />
      {tags.length > 0 && (
        <ul className={styles.tags}>
          {tags.map((tag, at) => (
            <li key={tag}>
              <Link to="/products" search={{ tag }} className={styles.tag}>
                <bdi lang={tagLabels ? undefined : textLang}>{tagLabels?.[at] ?? tag}</bdi>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </SharedElement>
  )
}

/** Length, lessons, age, captions and how often it was played. */
function Facts({ product }: { product: ProductDetail }) {
  const format = useFormat()
  const { t, i18n } = useLingui()
  const lessonLabels = useLessonLabels()
  const { durationSeconds, lessonCount, ageRating, captions, countOfPlays } = product
  // Names languages in the page's language. Unknown codes use the store's name.
  const captionLanguages = [...new Map(captions.map((track) => [track.language, track])).values()].map(
    ({ language, label }) => <bdi key={language}>{format.language(language) ?? label}</bdi>,
  )
  // A rating is text of the store, such as "PG-13"; a plain age becomes a sentence.
  const ageLabel =
    ageRating === 'ALL' ? t`All ages` : /^\d{1,2}$/.test(ageRating ?? '') ? t`Ages ${ageRating}+` : ageRating
  return (
    <ul className={styles.facts}>
      {ageRating && (
        <li>
          <Badge tone="outline">{ageLabel}</Badge>
        </li>
      )}
      {durationSeconds !== null && <Fact icon="clock">{format.duration(durationSeconds)}</Fact>}
      {lessonCount > 1 && <Fact icon="film">{lessonLabels.count(lessonCount)}</Fact>}
      {captions.length > 0 && (
        <Fact icon="captions">
          <Trans>Captions: {storeTextList(i18n.locale, captionLanguages)}</Trans>
        </Fact>
      )}
      {countOfPlays > 0 && (
        <Fact icon="play">
          <Plural value={countOfPlays} one="Played once" other="Played # times" />
        </Fact>
      )}
    </ul>
  )
}

function Fact({ icon, children }: { icon: 'clock' | 'film' | 'captions' | 'play'; children: ReactNode }) {
  return (
    <li className={styles.fact}>
      <Icon name={icon} size="s" />
      <span>{children}</span>
    </li>
  )
}
