import { msg } from '@lingui/core/macro'
import { createFileRoute } from '@tanstack/react-router'
import { cardsSearch, loadCards } from '~/features/billing/cards.functions'
import { handleCardsForm } from '~/features/billing/cards-form.server'
import { CardsPage } from '~/features/billing/ui/cards-page'
import { pageHead } from '~/platform/document/head'
import { requestContextMiddleware } from '~/platform/request/request-context-middleware'
import { CardsPending } from '~/site/layout/later-parts'

export const Route = createFileRoute('/_member/mypages/cards')({
  validateSearch: cardsSearch,
  loaderDeps: ({ search: { card } }) => ({ card }),
  loader: ({ context, deps }) => loadCards(context.queryClient, deps.card),
  head: ({ match }) => pageHead(match.context, { title: msg`Payment methods`, noindex: true }),
  server: {
    middleware: [requestContextMiddleware],
    handlers: { POST: ({ request, context }) => handleCardsForm(request, context.requestContext) },
  },
  pendingComponent: CardsPending,
  component: () => <CardsPage idempotencyKey={Route.useLoaderData().idempotencyKey} search={Route.useSearch()} />,
})
