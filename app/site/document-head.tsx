import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Asset, type RouterManagedTag, useMatches, useRouter, useTags } from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import type { SiteSettings } from '#contract/tenancy.ts'
import { problemOf } from '~/platform/api/problem'
import { layer, modalWidth, toastWidth, tooltip } from '~/platform/constants'
import { siteName } from '~/platform/document/head'
import { loadedLater } from '~/platform/hydration-boundary'
import { withMessages } from '~/platform/i18n/i18n'
import { siteSettingsQuery } from '~/platform/shell/shell.functions'
import { themeProperties as themePropertiesNow } from '~/ui/theme'

/** The error of a page that failed to load or to render on the server. */
export function useFailure(): { error: unknown } | undefined {
  const { page } = useRouter().options.context
  const failed = useMatches({ select: (matches) => matches.find(({ status }) => status === 'error') })
  return page.failure ?? (failed && { error: failed.error })
}

/** The status an error screen shows: 503 where no server was reached. */
export function statusOf(error: unknown): number {
  const problem = problemOf(error)
  return problem ? problem.status || 503 : 500
}

/** The title of a document that shows the error screen. */
export function errorTitle(i18n: I18n, settings: SiteSettings | undefined, error: unknown): string {
  const status = statusOf(error)
  return `${i18n._(msg`Error ${status}`)} · ${siteName(settings)}`
}

/**
 * The head tags of the matched routes. The error screen replaces those that describe the page.
 */
export function DocumentHead() {
  const { options } = useRouter()
  const { i18n, queryClient } = options.context
  const tags = useTags()
  const failure = useFailure()
  const shown = failure
    ? [
        ...tags.filter((tag) => !describesPage(tag)),
        { tag: 'meta', attrs: { name: 'robots', content: 'noindex,nofollow' } } as const,
        {
          tag: 'title',
          children: errorTitle(i18n, queryClient.getQueryData(siteSettingsQuery.queryKey), failure.error),
        } as const,
      ]
    : tags
  return shown.filter(isPrinted).map((tag) => {
    const nonce = allowedByNonce(tag) ? options.ssr?.nonce : undefined
    return <Asset {...tag} key={JSON.stringify(tag)} attrs={{ ...tag.attrs, nonce }} {...(nonce && { nonce })} />
  })
}

/** Whether the document's policy allows a tag by its nonce, which others need not repeat. */
const allowedByNonce = ({ tag, attrs }: RouterManagedTag) =>
  tag === 'script' || tag === 'style' || attrs?.rel === 'modulepreload'

/**
 * A tag without content removes the store's tag of the same name from a page.
 */
const isPrinted = ({ tag, attrs = {} }: RouterManagedTag) =>
  tag !== 'meta' || !(attrs.property ?? attrs.name) || attrs.content !== undefined

const describing = /^(?:og:|twitter:|description$|robots$)/

function describesPage({ tag, attrs = {} }: RouterManagedTag): boolean {
  if (tag === 'link') return attrs.rel === 'canonical' || attrs.rel === 'alternate'
  if (tag === 'meta') return describing.test(attrs.name ?? attrs.property ?? '')
  return tag === 'title' || attrs.type === 'application/ld+json'
}

/** The constants that style sheets need. */
const measures = {
  ...Object.fromEntries(Object.entries(layer).map(([name, height]) => [`--z-${name}`, height])),
  '--modal-narrow': `${modalWidth.narrow}px`,
  '--modal-wide': `${modalWidth.wide}px`,
  '--toast-size': toastWidth,
  '--tooltip-size': tooltip.maxWidth,
  '--tooltip-fade': `${tooltip.fadeIn}ms`,
}

type Theme = SiteSettings['theme']
type ThemeProperties = typeof themePropertiesNow

const styleOf = (theme: Theme | undefined, themeProperties: ThemeProperties) =>
  `:root{${Object.entries({ ...measures, ...(theme && themeProperties(theme)) })
    .map(([name, value]) => `${name}:${value}`)
    .join(';')}}`

/**
 * The constants and the tenant's theme, if it could be read, as one rule of the document's style
 * element. The browser takes what the server wrote, as long as the theme is the same.
 */
export const themeCss = createIsomorphicFn()
  .server(() => {
    const styles = new WeakMap<Theme, string>()
    return (theme: Theme | undefined): string => {
      const style = (theme && styles.get(theme)) ?? styleOf(theme, themePropertiesNow)
      if (theme) styles.set(theme, style)
      return style
    }
  })
  .client(() => {
    let properties: ThemeProperties | undefined
    loadedLater(async () => {
      properties = (await withMessages(import('~/ui/theme'))).themeProperties
    })
    const written = Array.from(document.querySelectorAll('style'), ({ textContent }) => textContent).find((text) =>
      text.startsWith(':root{'),
    )
    let shown: string | undefined
    return (theme: Theme | undefined): string => {
      const text = JSON.stringify(theme)
      shown ??= text
      if (written !== undefined && (text === shown || !properties)) return written
      return properties ? styleOf(theme, properties) : ''
    }
  })()

/**
 * The color scheme: the tenant's if it is fixed, else the visitor's choice, else the system's
 * (undefined).
 */
export function surfaceOf(theme: SiteSettings['theme'] | undefined, chosen: string | undefined) {
  if (theme && theme.surface !== 'system') return theme.surface
  return chosen === 'light' || chosen === 'dark' ? chosen : undefined
}
