"""What Tonk (Тонк) is: its rules, payments and dealing kernels."""
