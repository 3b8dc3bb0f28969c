import type { I18n } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { Asset, type RouterManagedTag, useMatches, useRouter, useTags } from '@tanstack/react-router'
import type { SiteSettings } from '#contract/tenancy.ts'
import { problemOf } from '~/platform/api/problem'
import { layer, modalWidth, toastWidth, tooltip } from '~/platform/constants'
import { siteName } from '~/platform/document/head'
import { siteSettingsQuery } from '~/platform/shell/shell.functions'
import { themeProperties } from '~/ui/theme'

/** Why the page cannot be shown: it failed while it was loaded, or while the server drew it. */
export function useFailure(): { error: unknown } | undefined {
  const { page } = useRouter().options.context
  const failed = useMatches({ select: (matches) => matches.find(({ status }) => status === 'error') })
  return page.failure ?? (failed && { error: failed.error })
}

/** The status an error screen shows. */
export const statusOf = (error: unknown): number => problemOf(error)?.status || 500

/** The title of a document that shows the error screen. */
export function errorTitle(i18n: I18n, settings: SiteSettings | undefined, error: unknown): string {
  const status = statusOf(error)
  return `${i18n._(msg`Error ${status}`)} · ${siteName(settings)}`
}

/** The tags of the routes on the page. The error screen has tags of its own in place of those that describe the page. */
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
  const nonce = options.ssr?.nonce
  return shown
    .filter(isPrinted)
    .map((tag) => <Asset {...tag} key={JSON.stringify(tag)} {...(nonce !== undefined && { nonce })} />)
}

/** A page says with a tag without content that it has nothing of what its store says by the same name. */
const isPrinted = ({ tag, attrs = {} }: RouterManagedTag) =>
  tag !== 'meta' || !(attrs.property ?? attrs.name) || attrs.content !== undefined

const describing = /^(?:og:|twitter:|description$|robots$)/

function describesPage({ tag, attrs = {} }: RouterManagedTag): boolean {
  if (tag === 'link') return attrs.rel === 'canonical' || attrs.rel === 'alternate'
  if (tag === 'meta') return describing.test(attrs.name ?? attrs.property ?? '')
  return tag === 'title' || attrs.type === 'application/ld+json'
}

/** The product's fixed measures, for the style sheets. */
const measures = {
  ...Object.fromEntries(Object.entries(layer).map(([name, height]) => [`--z-${name}`, height])),
  '--modal-narrow': `${modalWidth.narrow}px`,
  '--modal-wide': `${modalWidth.wide}px`,
  '--toast-size': toastWidth,
  '--tooltip-size': tooltip.maxWidth,
  '--tooltip-fade': `${tooltip.fadeIn}ms`,
}

/** The measures and the tenant's theme (where it could be read) as one rule for the document's style element. */
export function themeCss(theme: SiteSettings['theme'] | undefined): string {
  const properties = { ...measures, ...(theme && themeProperties(theme)) }
  return `:root{${Object.entries(properties)
    .map(([name, value]) => `${name}:${value}`)
    .join(';')}}`
}

/** The surface to draw: the tenant's, where it is pinned, else the visitor's choice, else the system's (undefined). */
export function surfaceOf(theme: SiteSettings['theme'] | undefined, chosen: string | undefined) {
  if (theme && theme.surface !== 'system') return theme.surface
  return chosen === 'light' || chosen === 'dark' ? chosen : undefined
}
