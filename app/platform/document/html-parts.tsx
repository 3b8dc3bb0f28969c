import { I18nProvider, useLingui } from '@lingui/react'
import { QueryClient, QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { type AnyRouteMatch, RouterContextProvider, rootRouteId, useRouter } from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import { LRUCache } from 'lru-cache'
import { type ComponentProps, createElement, type HTMLAttributes, type ReactNode } from 'react'
import { renderToString } from 'react-dom/server'
import type { PageRequest } from '~/platform/request/request-context'
import { loadedCategoryTree } from '~/platform/shell/categories'
import { categoriesQuery, siteSettingsQuery } from '~/platform/shell/shell.functions'

/** Bytes of all cached parts: about 5,000 product cards. */
const cacheBytes = 12_000_000
/** Milliseconds. What depends on the time, such as "New", may be this old. */
const freshFor = 60_000

const cache = new LRUCache<string, Uint8Array<ArrayBuffer>>({
  maxSize: cacheBytes,
  ttl: freshFor,
  sizeCalculation: (html, key) => html.byteLength + key.length,
})

const textEncoder = new TextEncoder()

/** Characters of the texts that have a number. */
const numberedCharacters = 4_000_000

const numbers = new LRUCache<string, number>({
  maxSize: numberedCharacters,
  sizeCalculation: (_number, text) => text.length,
})
const numberOfObject = new WeakMap<object, number>()
let lastNumber = 0

/**
 * The number of an object, the same for all objects with the same data. Data that requests share
 * are written as text once.
 */
function numberOf(data: object): number {
  const existing = numberOfObject.get(data)
  if (existing !== undefined) return existing
  const text = JSON.stringify(data)
  const number = numbers.get(text) ?? ++lastNumber
  numbers.set(text, number)
  numberOfObject.set(data, number)
  return number
}

/** A key as text, with numbers in place of objects. */
function keyText(key: unknown): string {
  if (typeof key === 'string') return JSON.stringify(key)
  if (Array.isArray(key)) return `[${key.map(keyText).join()}]`
  return typeof key === 'object' && key !== null ? `#${numberOf(key)}` : String(key)
}

interface PartSource {
  /**
   * The HTML as bytes, cached under a key that contains everything that it shows. Objects in the
   * key never change.
   */
  part: (key: readonly unknown[], html: () => string) => Uint8Array<ArrayBuffer>
  /**
   * Renders a part to HTML, in the context of the page. React renders nothing else meanwhile, so
   * the component must not call hooks afterwards.
   */
  render: (part: ReactNode, queryClient?: QueryClient) => string
  /** Puts parts into the page. Returns the props of their element. */
  insert: (parts: Uint8Array<ArrayBuffer>[]) => { dangerouslySetInnerHTML: { __html: string } }
}

/**
 * The page's cached parts, on the server. React gets a short marker in place of their HTML, and
 * `fillParts` replaces it by the bytes: joining and encoding one long text costs as much as
 * rendering it.
 */
export const useParts = createIsomorphicFn()
  .server(function useParts(): PartSource {
    const router = useRouter()
    const queryClient = useQueryClient()
    const { i18n } = useLingui()
    const { page, localeState } = router.options.context
    return {
      part: (key, html) => {
        const fullKey = keyText([i18n.locale, localeState.prefixed, key])
        const cached = cache.get(fullKey)
        if (cached) return cached
        const text = html()
        if (page.nonce && text.includes(page.nonce))
          throw new Error('A cached part contains what belongs to one response.')
        const bytes = textEncoder.encode(text)
        cache.set(fullKey, bytes)
        return bytes
      },
      render: (part, queries = queryClient) =>
        renderToString(
          <RouterContextProvider router={router}>
            <QueryClientProvider client={queries}>
              <I18nProvider i18n={i18n}>{part}</I18nProvider>
            </QueryClientProvider>
          </RouterContextProvider>,
        ),
      insert: (parts) => {
        page.parts ??= []
        page.parts.push(parts)
        return { dangerouslySetInnerHTML: { __html: `${markerOf(page)}${page.parts.length - 1}-->` } }
      },
    }
  })
  .client((): PartSource => {
    throw new Error('The browser has no cached parts.')
  })

/** Only the server's response knows the nonce, so no text of a visitor looks like a marker. */
const markerOf = ({ nonce }: PageRequest) => `<!--${nonce} `

/** Encodes a page, with its parts in place of their markers. */
export function fillParts(html: string, page: PageRequest): Uint8Array<ArrayBuffer> {
  const [start = '', ...others] = html.split(markerOf(page))
  const pieces = [textEncoder.encode(start)]
  for (const text of others) {
    const end = text.indexOf('-->')
    pieces.push(...(page.parts?.[Number(text.slice(0, end))] ?? []), textEncoder.encode(text.slice(end + 3)))
  }
  const bytes = new Uint8Array(pieces.reduce((total, { byteLength }) => total + byteLength, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.byteLength
  }
  return bytes
}

type Content = Pick<HTMLAttributes<HTMLElement>, 'children' | 'dangerouslySetInnerHTML'>

const useSharedContent = createIsomorphicFn()
  .server(function useSharedContent(shown: readonly unknown[], children: ReactNode): Content {
    const router = useRouter()
    const queryClient = useQueryClient()
    const { part, render, insert } = useParts()
    const current = currentLinkOf(router.state, queryClient)
    // In development the code of a part changes as well.
    if (current === undefined || import.meta.env.DEV) return { children }
    return insert([part([current, shown], () => render(children, storeDataOf(queryClient)))])
  })
  .client((_shown: readonly unknown[], children: ReactNode): Content => ({ children }))

type SharedName = 'div' | 'nav' | 'ul' | 'ol' | 'article' | 'header' | 'fieldset'

type SharedElementProps<Name extends SharedName> = ComponentProps<Name> & {
  as: Name
  /** The content's name and all data that it shows. */
  shown: readonly unknown[]
}

/**
 * An element whose content is the same for all visitors who see the same. The server renders it
 * once and caches its HTML; in the browser it is an element like others. The content must not use
 * ids of React, nor pictures that load at once. While it is rendered it can read the store's
 * settings and categories, and no data of the visitor.
 */
export function SharedElement<Name extends SharedName>(props: SharedElementProps<Name>) {
  const { as, shown, children, ...attributes } = props
  return createElement(as, { ...attributes, ...useSharedContent(shown, children) })
}

interface PageState {
  location: { pathname: string }
  matches: readonly Pick<AnyRouteMatch, 'routeId' | 'fullPath' | 'search'>[]
}

/**
 * All of a page that decides which links of a menu are marked as current: the path, without what no
 * menu names, such as the code of a product or an order, the category and the tag. Undefined for
 * addresses without a page.
 */
function currentLinkOf({ location, matches }: PageState, queryClient: QueryClient): string | undefined {
  const match = matches.at(-1)
  if (!match || match.routeId === rootRouteId) return undefined
  const [path = '', parameter]: string[] = match.fullPath.split('$')
  const { category, tag } = match.search
  const isCategory = typeof category === 'string' && loadedCategoryTree(queryClient).byPath.has(category)
  const page = parameter !== undefined && path === '/pages/' ? location.pathname : path
  return `${page} ${isCategory ? category : ''} ${typeof tag === 'string' ? tag : ''}`
}

/** A query cache that has the data of the store alone. */
function storeDataOf(queryClient: QueryClient): QueryClient {
  const shared = new QueryClient()
  for (const { queryKey } of [siteSettingsQuery, categoriesQuery])
    shared.setQueryData<unknown>(queryKey, queryClient.getQueryData(queryKey))
  return shared
}
