import { Plural, Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { Moment } from '#contract/catalog.ts'
import { useFormat } from '~/platform/format/use-format'
import { useSiteSettings } from '~/platform/shell/shell.queries'
import { Icon } from '~/ui/icon'
import { MarkedText } from '~/ui/marked-text'
import { Picture } from '~/ui/picture'
import styles from './spoken-moments.module.css'

/** More than a row would push the products out of sight, where there are any. */
const aboveProducts = 2
const alone = 6

interface SpokenMomentsProps {
  moments: readonly Moment[]
  /** Products follow. */
  products: boolean
}

/** Where the videos of the store say what was searched for; each leads to its second. */
export function SpokenMoments({ moments, products }: SpokenMomentsProps) {
  if (moments.length === 0) return null
  const shownAtOnce = products ? aboveProducts : alone
  const more = moments.slice(shownAtOnce)
  return (
    <section className={styles.section} aria-labelledby="spoken">
      <h2 id="spoken" className={styles.heading}>
        <Trans>Spoken in videos</Trans>
      </h2>
      <MomentList moments={moments.slice(0, shownAtOnce)} />
      {more.length > 0 && (
        <details className={styles.more}>
          <summary className={styles.summary}>
            <Plural value={more.length} one="# more match" other="# more matches" />
            <Icon name="chevron-down" />
          </summary>
          <MomentList moments={more} />
        </details>
      )}
    </section>
  )
}

const MomentList = ({ moments }: { moments: readonly Moment[] }) => (
  <ul className={styles.list}>
    {moments.map((moment) => (
      <li key={`${moment.product.id}:${moment.lesson?.id}:${moment.startSeconds}`}>
        <MomentLink moment={moment} />
      </li>
    ))}
  </ul>
)

function MomentLink({ moment }: { moment: Moment }) {
  const format = useFormat()
  const { product, lesson, startSeconds, snippet, hits, language } = moment
  const second = Math.floor(startSeconds)
  return (
    <Link
      className={styles.moment}
      to="/products/$code/watch"
      params={{ code: product.code }}
      search={lesson ? { lesson: lesson.id, t: second } : { t: second }}
    >
      <span className={styles.stage}>
        <Picture picture={product.poster} sizes="8rem" ratio={16 / 9} decorative />
        <span className={styles.time}>{format.duration(second)}</span>
      </span>
      <span className={styles.words}>
        <span className={styles.snippet}>
          <MarkedText text={snippet} marks={hits} lang={language} />
        </span>
        <span className={styles.source}>{lesson ? `${product.title} · ${lesson.title}` : product.title}</span>
        {moment.locked && (
          <span className={styles.way}>
            <Icon name="lock" />
            <Way product={product} />
          </span>
        )}
      </span>
    </Link>
  )
}

/** How one comes to watch it. */
function Way({ product: { access, price } }: Pick<Moment, 'product'>) {
  const format = useFormat()
  const { usePayment } = useSiteSettings().order
  if (access === 'MEMBER') return <Trans>Sign in to watch</Trans>
  if (usePayment && price && access !== 'PLAN') return <Trans>Watch from {format.money(price)}</Trans>
  return <Trans>With a plan</Trans>
}
