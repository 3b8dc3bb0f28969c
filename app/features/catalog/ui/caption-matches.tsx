import { Plural, Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { CaptionMatch } from '#contract/catalog.ts'
import { useFormat } from '~/platform/format/use-format'
import { useSiteSettings } from '~/platform/shell/shell.functions'
import { Icon } from '~/ui/icon'
import { Picture } from '~/ui/picture'
import { MarkedText } from '~/ui/prose'
import styles from './caption-matches.module.css'

/** More than one row would move the products out of view. */
const initialAboveProducts = 2
const initialAlone = 6

interface CaptionMatchesProps {
  matches: readonly CaptionMatch[]
  /** Whether products follow below. */
  products: boolean
}

/** Matches of a search in captions. Each links to its position in the video. */
export function CaptionMatches({ matches, products }: CaptionMatchesProps) {
  if (matches.length === 0) return null
  const initialCount = products ? initialAboveProducts : initialAlone
  const more = matches.slice(initialCount)
  return (
    <section className={styles.section} aria-labelledby="spoken">
      <h2 id="spoken" className={styles.heading}>
        <Trans>Spoken in videos</Trans>
      </h2>
      <MatchList matches={matches.slice(0, initialCount)} />
      {more.length > 0 && (
        <details className={styles.more}>
          <summary className={styles.summary}>
            <Plural value={more.length} one="# more match" other="# more matches" />
            <Icon name="chevron-down" />
          </summary>
          <MatchList matches={more} />
        </details>
      )}
    </section>
  )
}

const MatchList = ({ matches }: { matches: readonly CaptionMatch[] }) => (
  <ul className={styles.list}>
    {matches.map((match) => (
      <li key={`${match.product.id}:${match.lesson?.id}:${match.startSeconds}`}>
        <MatchLink match={match} />
      </li>
    ))}
  </ul>
)

function MatchLink({ match }: { match: CaptionMatch }) {
  const format = useFormat()
  const { product, lesson, startSeconds, snippet, hits, language } = match
  const second = Math.floor(startSeconds)
  return (
    <Link
      className={styles.match}
      to="/products/$code/watch"
      params={{ code: product.code }}
      search={lesson ? { lesson: lesson.id, t: second } : { t: second }}
    >
      <span className={styles.stage}>
        <Picture picture={product.poster} sizes="8rem" ratio={16 / 9} decorative />
        <span className={styles.time}>{format.duration(second)}</span>
      </span>
      <span className={styles.words}>
        <MarkedText text={snippet} ranges={hits} lang={language} className={styles.snippet} />
        <span className={styles.source} dir="auto">
          {lesson ? `${product.title} · ${lesson.title}` : product.title}
        </span>
        {match.locked && (
          <span className={styles.way}>
            <Icon name="lock" />
            <AccessLabel product={product} />
          </span>
        )}
      </span>
    </Link>
  )
}

/** How the viewer can get access. */
function AccessLabel({ product: { access, price, optionCount } }: Pick<CaptionMatch, 'product'>) {
  const format = useFormat()
  const { usePayment } = useSiteSettings().order
  if (access === 'MEMBER') return <Trans>Sign in to watch</Trans>
  if (usePayment && price && access !== 'PLAN') {
    return optionCount > 1 ? (
      <Trans>Watch from {format.money(price)}</Trans>
    ) : (
      <Trans>Watch for {format.money(price)}</Trans>
    )
  }
  return <Trans>With a plan</Trans>
}
