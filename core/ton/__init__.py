"""What Ton (Тонь) is: its rules, tricks, reference engine, matches, policies and recorded hands."""
