import { Trans, useLingui } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { Lesson, ProductDetail } from '#contract/product-page.ts'
import { shareLink } from '~/parts/share-button'
import { useFormat } from '~/platform/format/use-format'
import { langOf } from '~/platform/i18n/locales'
import { Button } from '~/ui/button'
import { renderAs } from '~/ui/element'
import { Icon } from '~/ui/icon'
import type { PlayerView } from '../player/player'
import styles from './watch-details.module.css'
import type { SideTab } from './watch-side'

interface Props {
  product: ProductDetail
  /** The current lesson of several. */
  lesson: Lesson | undefined
  accessUntil: string | null
  /** The open stream; null before playback. */
  view: PlayerView | null
  report: ReactElement | undefined
  /** The tabs that can be opened; absent if the side panel is always open. */
  side: { tab: SideTab | null; onTab: (tab: SideTab | null) => void } | undefined
}

/** Title, summary and actions of the current video. */
export function WatchDetails({ product, lesson, accessUntil, view, report, side }: Props) {
  const { t } = useLingui()
  const format = useFormat()
  return (
    <div className={styles.words}>
      <div>
        {/* The line is reserved until the current lesson is known. */}
        {product.lessons.length > 1 && <p className={styles.over}>{lesson ? product.title : '\u00A0'}</p>}
        <h1 className={styles.title} tabIndex={-1}>
          <bdi lang={langOf(lesson ?? product, 'title')}>{lesson ? lesson.title : product.title}</bdi>
        </h1>
        <div className={styles.actions}>
          {side && <SideToggles product={product} {...side} />}
          <SharePosition title={product.title} lesson={lesson} view={view} />
        </div>
        <p className={styles.summary}>
          <bdi lang={langOf(lesson?.summary ? lesson : product, 'summary')}>{lesson?.summary || product.summary}</bdi>
        </p>
      </div>
      <ul className={styles.facts}>
        {accessUntil && (
          <li>
            <Icon name="clock" size="s" />
            <Trans>Available to watch until {format.dateTime(accessUntil)}.</Trans>
          </li>
        )}
        <li>
          <Icon name="info" size="s" />
          <Link className={styles.link} to="/products/$code" params={{ code: product.code }}>
            <Trans>About this title</Trans>
          </Link>
        </li>
        {report && (
          <li>
            <Icon name="comment" size="s" />
            {renderAs(report, { className: styles.link }, t`Report a problem`)}
          </li>
        )}
        <li className={styles.keys}>
          <Icon name="settings" size="s" />
          <span>
            <Trans>
              Press <kbd>?</kbd> for keyboard shortcuts.
            </Trans>
          </span>
        </li>
      </ul>
    </div>
  )
}

function SideToggles({ product, tab, onTab }: { product: ProductDetail } & NonNullable<Props['side']>) {
  const toggle = (one: SideTab) => onTab(tab === one ? null : one)
  return (
    <>
      {product.captions.length > 0 && (
        <Button icon="transcript" aria-expanded={tab === 'transcript'} onClick={() => toggle('transcript')}>
          <Trans>Transcript</Trans>
        </Button>
      )}
      {product.chapters.length > 1 && (
        <Button icon="list" aria-expanded={tab === 'chapters'} onClick={() => toggle('chapters')}>
          <Trans>Chapters</Trans>
        </Button>
      )}
    </>
  )
}

/** Shares a link to the current position. */
function SharePosition({
  title,
  lesson,
  view,
}: {
  title: string
  lesson: Lesson | undefined
  view: PlayerView | null
}) {
  const share = () => {
    const url = new URL(window.location.href)
    if (lesson) url.searchParams.set('lesson', lesson.id)
    url.searchParams.delete('t')
    const seconds = Math.floor(view?.video.currentTime ?? 0)
    if (seconds > 0) url.searchParams.set('t', String(seconds))
    return shareLink(title, url.href)
  }
  return (
    <Button icon="share" className={styles.scripted} onClick={share}>
      <Trans>Share this moment</Trans>
    </Button>
  )
}
