const main = document.querySelector('main[data-bridge]')
const button = document.querySelector('button')
const opening = document.querySelector('[data-opening]')
const problem = document.querySelector('[role="alert"]')
const { kind, request, returnUrl } = JSON.parse(main.dataset.bridge)

const open = async () => {
  button.disabled = true
  problem.hidden = true
  opening.hidden = false
  try {
    await (kind === 'PAYMENT' ? PortOne.requestPayment(request) : PortOne.requestIssueBillingKey(request))
    // Whatever the result, the store queries the payment at PortOne.
    location.replace(returnUrl)
  } catch {
    problem.hidden = false
    opening.hidden = true
    button.disabled = false
  }
}

button.addEventListener('click', open)
open()
