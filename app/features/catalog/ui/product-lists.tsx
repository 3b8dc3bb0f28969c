import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { createIsomorphicFn } from '@tanstack/react-start'
import { type HTMLAttributes, type ReactElement, type ReactNode, type RefCallback, useCallback, useState } from 'react'
import { SharedElement, useParts } from '~/platform/document/html-parts'
import { rememberPressedCard } from '~/platform/navigation/pressed-card'
import { useLinksInHtml, usePagePrefetch } from '~/platform/navigation/use-links-in-html'
import { contractQuery } from '~/platform/shell/shell.functions'
import { PosterGrid } from '~/ui/poster-grid'
import { Rail, type RailProps } from '~/ui/rail'
import { type CardList, type HtmlList, sharedTileOf, type Tile } from '../products.functions'
import { ProductTile, type ProductTileProps } from './product-tile'

/** What all cards of a list have in common. */
type CardOptions = Omit<ProductTileProps, 'product' | 'eager' | 'action'> & {
  /** The number of cards in the first view of the page. */
  eager?: number
}

type ListProps = HTMLAttributes<HTMLElement> & { ref?: RefCallback<HTMLElement> }

const propsOf = (tile: Tile, at: number, { eager = 0, ...options }: CardOptions) => ({
  ...options,
  product: tile,
  eager: at < eager,
})

interface HtmlItem {
  /** All that the item shows, apart from the data of the store's version. */
  shown: readonly unknown[]
  element: ReactElement
}

/** The HTML of lists that the visitor has left, for the way back. */
const leftLists = new WeakMap<HtmlList, string>()

const useItems = createIsomorphicFn()
  .server(function useItems(_list: HtmlList, items: readonly HtmlItem[]): ListProps {
    const { pathname } = useRouter().state.location
    const version = useQueryClient().getQueryData(contractQuery.queryKey)?.version
    const { part, render, insert } = useParts()
    // On a product's own pages, its links are marked as the current ones.
    const page = pathname.startsWith('/products/') && pathname
    return insert(items.map(({ shown, element }) => part([version, page, shown], () => render(element))))
  })
  .client(function useItems(list: HtmlList, items: readonly HtmlItem[]): ListProps {
    const { tiles, count } = list
    const [html] = useState(() => leftLists.get(list) ?? '')
    const queryClient = useQueryClient()
    const links = useLinksInHtml()
    usePagePrefetch('/products/$code')
    const ref = useCallback(
      (element: HTMLElement) => {
        // React has rendered the page anew, after an error: load the data.
        if (count > 0 && !element.firstChild) void queryClient.invalidateQueries()
        return () => {
          leftLists.set(list, element.innerHTML)
        }
      },
      [list, count, queryClient],
    )

    if (tiles !== null) return { children: items.map(({ element }) => element) }
    return { ref, dangerouslySetInnerHTML: { __html: html }, suppressHydrationWarning: true, ...links }
  })

/**
 * The props of an element that shows a list of items. The server renders them as HTML, cached by
 * what they show, and the browser leaves that HTML as it is: it needs neither the data of the items
 * nor their components. Lists that the browser loads later are rendered as components. Items must
 * show nothing but their links' current page that depends on the visitor and is not in `shown`.
 */
export const useHtmlList = <Item,>(list: HtmlList<Item>, itemOf: (item: Item, at: number) => HtmlItem): ListProps =>
  useItems(list, (list.tiles ?? []).map(itemOf))

/** The props of a `<ul>` that shows a list of product cards. */
function useCardList(list: CardList, options: CardOptions): ListProps {
  const props = useHtmlList(list, (tile, at) => {
    const card = propsOf(tile, at, options)
    const { eager, shape, headingLevel, covered } = card
    return {
      shown: [sharedTileOf(tile), tile.viewer, eager, shape, headingLevel, covered],
      element: (
        <li key={tile.id}>
          <ProductTile {...card} />
        </li>
      ),
    }
  })
  return { ...props, onClickCapture: rememberPressedCard }
}

interface ProductRailProps {
  title: ReactNode
  /** All data that title and action show, where nothing else decides about them. */
  shown?: readonly unknown[]
  list: CardList
  action?: ReactNode
}

/** A row of products; nothing for an empty list. */
export const ProductRail = (props: ProductRailProps) => (props.list.count > 0 ? <FilledRail {...props} /> : null)

/** On the server, the element of what all who see the same data see of a rail's head. */
const sharedHead = createIsomorphicFn().server((shown?: readonly unknown[]): RailProps['head'] => {
  if (!shown) return undefined
  return ({ heading, ...head }) => <SharedElement as="div" shown={['rail', heading, shown]} {...head} />
})

function FilledRail({ title, shown, list, action }: ProductRailProps) {
  const { t } = useLingui()
  const { shape } = list
  return (
    <Rail
      title={title}
      action={action}
      shape={shape}
      labels={{ previous: t`Previous`, next: t`Next` }}
      list={useCardList(list, { shape })}
      head={sharedHead(shown)}
    />
  )
}

interface ProductGridProps {
  list: CardList
  /** In the first view of the page. */
  eager?: boolean
  /** The viewer's plan includes all of them. */
  covered?: boolean | undefined
}

/** Products in as many columns as fit, below the heading of the page. */
export function ProductGrid({ list, eager = true, covered }: ProductGridProps) {
  const { shape } = list
  const options: CardOptions = { shape, headingLevel: 'h2', eager: eager ? 6 : 0, covered }
  return <PosterGrid shape={shape} list={useCardList(list, options)} />
}
