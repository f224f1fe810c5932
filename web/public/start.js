// Says why a page has not started: its script did not come, or this browser is too old to read it. So this file is written in the
// JavaScript of old browsers, and is none of the page's own.
addEventListener('load', function () {
  var first = document.querySelector('#app > .first');
  if (!first) return;
  var hidden = first.querySelectorAll('[hidden]');
  var language = (navigator.language || '').slice(0, 2).toLowerCase();
  var spoken = [].filter.call(hidden, function (each) {
    return each.getAttribute('lang') === language;
  });
  var said = spoken[0] || hidden[0];
  if (said) said.removeAttribute('hidden');
});
