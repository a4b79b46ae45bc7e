"""The dashboard `tonlab explore`: pages that ask the public functions of `analysis` and show what they answer.

No rule of a game stands here. `state` is what a link holds, `page` one open tab, `cards` the picker, `answers` the work
in the background, `results` how numbers are shown, `texts` the words in both languages; each page is a file.
"""
